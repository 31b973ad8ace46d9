"""The tree says what the text says: precedence, nesting, what is implied by shorthand."""

from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Variable
from prsp.parse import parse_sparql
from prsp.parse import syntax as s
from prsp.parse.scope import projected

A, B, C = Variable("a"), Variable("b"), Variable("c")


def where(text: str) -> tuple[s.Pattern, ...]:
    pattern = parse_sparql(f"PREFIX : <http://e/> ASK {{ {text} }}").body.where
    assert isinstance(pattern, s.Group)
    return pattern.elements


def condition(text: str) -> s.Expression:
    (element,) = where(f"FILTER({text})")
    assert isinstance(element, s.Filter)
    return element.condition


def triples(text: str) -> tuple[s.Triple, ...]:
    (element,) = where(text)
    assert isinstance(element, s.BasicGraphPattern)
    return element.triples


def iri(local: str) -> IRI:
    return IRI(f"http://e/{local}")


def number(text: str) -> Literal:
    return Literal(text, XSD + "integer")


def test_precedence() -> None:
    assert condition("?a || ?b && !?c") == s.Or((A, s.And((B, s.Not(C)))))
    assert condition("?a - ?b - ?c * ?a") == s.Arithmetic("-", s.Arithmetic("-", A, B), s.Arithmetic("*", C, A))
    assert condition("?a -1 * 2 = ?b") == s.Comparison("=", s.Arithmetic("+", A, s.Arithmetic("*", number("-1"), number("2"))), B)
    assert condition("- ?a NOT IN (1, ?b)") == s.Membership(s.Sign("-", A), (number("1"), B), negated=True)
    assert condition("?a<?b && ?b>?c") == s.And((s.Comparison("<", A, B), s.Comparison(">", B, C)))


def test_literals() -> None:
    (triple,) = triples(""":s :p 'a\\t"\\u00E9\\\\' """)
    assert triple.object == Literal('a\t"é\\')
    assert str(triple.object) == '"a\t\\"é\\\\"'
    assert [t.object for t in triples(':s :p "x"@en-GB, """a"b""", "1"^^:t, 1, 1.5, 1e3, TRUE')] == [
        Literal("x", RDF + "langString", "en-GB"),
        Literal('a"b'),
        Literal("1", "http://e/t"),
        Literal("1", XSD + "integer"),
        Literal("1.5", XSD + "decimal"),
        Literal("1e3", XSD + "double"),
        Literal("true", XSD + "boolean"),
    ]


def test_shorthand_is_written_out() -> None:
    node, cell, rest = (BlankNode(f".{n}") for n in (1, 2, 3))
    assert triples("[ :p ?a ; a :t ]") == (s.Triple(node, iri("p"), A), s.Triple(node, IRI(RDF + "type"), iri("t")))
    assert triples("?a :p [ :q ?b ], ?c") == (s.Triple(A, iri("p"), node), s.Triple(node, iri("q"), B), s.Triple(A, iri("p"), C))
    assert triples("?a :p (?b [] )") == (
        s.Triple(A, iri("p"), cell),
        s.Triple(cell, IRI(RDF + "first"), B),
        s.Triple(cell, IRI(RDF + "rest"), rest),
        s.Triple(rest, IRI(RDF + "first"), node),
        s.Triple(rest, IRI(RDF + "rest"), IRI(RDF + "nil")),
    )
    assert triples("() :p ( # a comment\n )") == (s.Triple(IRI(RDF + "nil"), iri("p"), IRI(RDF + "nil")),)


def test_paths() -> None:
    def path(text: str) -> object:
        return triples(f"?a {text} ?b")[0].predicate

    assert path(":p") == iri("p")
    assert path(":p/^:q|a*") == s.PathAlternative(
        (s.PathSequence((iri("p"), s.PathInverse(iri("q")))), s.PathRepeat(IRI(RDF + "type"), s.Repeat.ZERO_OR_MORE))
    )
    assert path("!(:p|^:q)") == s.PathNegatedSet((iri("p"),), (iri("q"),))
    assert path("(:p/:q)+") == s.PathRepeat(s.PathSequence((iri("p"), iri("q"))), s.Repeat.ONE_OR_MORE)
    assert path("!()") == s.PathNegatedSet((), ())


def test_calls() -> None:
    assert condition("uri(?a)") == s.Call("IRI", (A,))
    assert condition("substr(?a, 1)") == s.Call("SUBSTR", (A, number("1")))
    assert condition("coalesce()") == s.Call("COALESCE", ())
    assert condition("bnode()") == s.Call("BNODE", ())
    assert condition(":f(DISTINCT ?a)") == s.FunctionCall(iri("f"), (A,), distinct=True)
    assert condition("NOT EXISTS { }") == s.Exists(s.Group(()), negated=True)


def test_modifiers_and_aggregates() -> None:
    query = parse_sparql(
        "SELECT ?k (GROUP_CONCAT(DISTINCT ?v; SEPARATOR=', ') AS ?all) { ?k ?p ?v } GROUP BY ?k (str(?p) AS ?q) ucase(?v) "
        "HAVING (COUNT(*) > 1) ORDER BY DESC(?k) ?all OFFSET 3 LIMIT 2 VALUES ?k { UNDEF 1 }"
    ).body
    assert isinstance(query, s.Select)
    concat = s.Aggregate("GROUP_CONCAT", Variable("v"), distinct=True, separator=", ")
    assert query.projection == (Variable("k"), s.As(concat, Variable("all")))
    assert query.modifiers == s.Modifiers(
        group_by=(Variable("k"), s.As(s.Call("STR", (Variable("p"),)), Variable("q")), s.As(s.Call("UCASE", (Variable("v"),)), None)),
        having=(s.Comparison(">", s.Aggregate("COUNT", None, distinct=False), number("1")),),
        order_by=(s.OrderCondition(Variable("k"), descending=True), s.OrderCondition(Variable("all"), descending=False)),
        limit=2,
        offset=3,
    )
    assert query.values == s.InlineData((Variable("k"),), ((None,), (number("1"),)))


def test_iris_are_resolved() -> None:
    query = parse_sparql("BASE <http://e/a/b> PREFIX x: <../c#> ASK { <d> x:e\\-f <tag:x>, x:, <#g> }", base="http://other/")
    assert isinstance(query.body.where, s.Group)
    assert query.body.where.elements == (
        s.BasicGraphPattern(
            tuple(s.Triple(IRI("http://e/a/d"), IRI("http://e/c#e-f"), IRI(o)) for o in ("tag:x", "http://e/c#", "http://e/a/b#g"))
        ),
    )
    custom = parse_sparql("BASE <x-own://h/a/b> ASK { <../c> ?p ?o }").body.where
    assert isinstance(custom, s.Group)
    (pattern,) = custom.elements
    assert isinstance(pattern, s.BasicGraphPattern)
    assert pattern.triples[0].subject == IRI("x-own://h/c")


def test_select_star_sees_what_is_in_scope() -> None:
    query = parse_sparql(
        "SELECT * { ?a ?p ?b OPTIONAL { ?c ?p ?d } MINUS { ?x ?p ?a } FILTER(?y = 1) FILTER EXISTS { ?z ?p ?a } "
        "GRAPH ?g { ?e ?p ?f } BIND(1 AS ?h) VALUES ?i { 1 } { SELECT (1 AS ?j) ?k { ?k ?p ?l } } }"
    ).body
    assert isinstance(query, s.Select)
    assert "".join(projected(query)) == "apbcdgefhijk"
