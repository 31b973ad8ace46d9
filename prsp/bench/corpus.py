"""Continuous queries of the shapes people register, small to large, for the parser's benchmark."""

from __future__ import annotations

_PREFIXES = """PREFIX om-owl: <http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#>
PREFIX weather: <http://knoesis.wright.edu/ssw/ont/weather.owl#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
_STREAM = "FROM STREAM <http://example.org/streams/sensors> [RANGE 5s STEP 4s]\n"

QUERIES = {
    "small": f"REGISTER QUERY small AS SELECT ?s ?o {_STREAM} WHERE {{ ?s <http://example.org/p> ?o }}",
    "star": f"REGISTER QUERY star AS {_PREFIXES} SELECT ?sensor ?obs ?value {_STREAM} WHERE {{ ?obs om-owl:observedProperty"
    " weather:_AirTemperature ; om-owl:procedure ?sensor ; om-owl:result [ om-owl:floatValue ?value ] . }",
    "self-join": f"REGISTER QUERY pairs AS {_PREFIXES} SELECT ?sensor ?a ?b {_STREAM} WHERE {{ ?a om-owl:procedure ?sensor ;"
    " om-owl:observedProperty weather:_AirTemperature ; om-owl:result ?r . ?r om-owl:floatValue ?v . ?b om-owl:procedure ?sensor ;"
    " om-owl:observedProperty weather:_AirTemperature ; om-owl:result ?q . ?q om-owl:floatValue ?w . FILTER(?v - ?w > 0.5) }",
    "aggregate": f"REGISTER QUERY means AS {_PREFIXES} SELECT ?sensor (AVG(?v) AS ?mean) (COUNT(*) AS ?n) {_STREAM} WHERE {{"
    " ?o om-owl:procedure ?sensor ; om-owl:result/om-owl:floatValue ?v } GROUP BY ?sensor HAVING (COUNT(*) > 3) ORDER BY DESC(?mean)",
    "large": f"REGISTER STREAM alarms COMPUTED EVERY 2s AS {_PREFIXES} CONSTRUCT {{ ?sensor a weather:Alarm ; weather:level ?level }}"
    f" {_STREAM} FROM <http://example.org/kb> WHERE {{ {{ ?o om-owl:procedure ?sensor ; om-owl:result ?r }} UNION {{ ?sensor"
    " om-owl:generated ?r } ?r om-owl:floatValue ?v OPTIONAL { ?sensor weather:threshold ?t FILTER(?t > 0) } BIND(IF(BOUND(?t), ?t, 90)"
    ' AS ?limit) FILTER(?v > ?limit && !REGEX(STR(?sensor), "test", "i") || xsd:integer(?v) IN (1, 2, 3)) FILTER NOT EXISTS { ?sensor'
    " weather:silenced true } { SELECT ?sensor (MAX(?x) AS ?level) WHERE { ?sensor weather:reading ?x } GROUP BY ?sensor } VALUES ?zone"
    ' { weather:north weather:south "other"@en } }',
}
