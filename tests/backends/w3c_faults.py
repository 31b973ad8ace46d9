"""What each engine gets wrong in the W3C evaluation tests, and why. A test that is not listed has to pass, one that is has to fail."""

from collections.abc import Mapping


def by_test(causes: Mapping[str, str]) -> dict[str, str]:
    """Test → cause, from cause → tests."""
    return {test: cause for cause, tests in causes.items() for test in tests.split()}


_CANONICAL = "it keeps literals by value: their lexical forms are lost, and equal values are one term"
_OXIGRAPH = {
    _CANONICAL: """
        sparql10/distinct/distinct-1 sparql10/distinct/distinct-9 sparql10/expr-builtin/dawg-str-1 sparql10/expr-builtin/dawg-str-2
        sparql10/expr-builtin/sameTerm-eq sparql10/expr-builtin/sameTerm-not-eq sparql10/expr-builtin/sameTerm-simple
        sparql10/expr-equals/eq-graph-1 sparql10/expr-equals/eq-graph-2 sparql10/open-world/open-eq-01 sparql10/open-world/date-3
        sparql11/cast/cast-bool sparql11/cast/cast-decimal sparql11/cast/cast-double sparql11/cast/cast-float sparql11/cast/cast-int
        sparql11/cast/cast-string sparql11/csv-tsv-res/tsv03""",
    "dates are compared as in XSD 1.1, where those with and without a time zone have an order": "sparql10/open-world/date-2",
    "TRUE and FALSE are written in lower case only": "sparql10/expr-builtin/case-insensitive-booleans",
    "the variable of GRAPH ?g counts as bound inside the group": """
        sparql10/graph/graph-optional sparql10/graph/graph-variable-scope sparql11/negation/graph-minus""",
    "GRAPH ?g around a subquery, VALUES or an empty group does not bind ?g": """
        sparql11/aggregates/agg-empty-group-count-graph sparql11/bindings/graph""",
    "BNODE(text) gives one node for the whole answer, not one per solution": "sparql11/functions/bnode01",
    "a path of length zero does not match a term that is in the query but not in the data": """
        sparql11/property-path/zero_or_more_set_end sparql11/property-path/zero_or_more_set_start
        sparql11/property-path/zero_or_one_set_end sparql11/property-path/zero_or_one_set_start""",
    "GROUP_CONCAT keeps the language tag that its members share": """
        sparql11/aggregates/agg-groupconcat-04 sparql11/aggregates/agg-groupconcat-06""",
}
OXIGRAPH = by_test(_OXIGRAPH)
OXIGRAPH_SERVER = by_test(_OXIGRAPH)

RDFLIB = by_test(
    {
        _CANONICAL: """
            sparql10/distinct/distinct-1 sparql10/distinct/distinct-9 sparql10/expr-builtin/dawg-str-1 sparql10/expr-builtin/dawg-str-2
            sparql10/expr-builtin/sameTerm-eq sparql10/expr-builtin/sameTerm-not-eq sparql10/expr-builtin/sameTerm-simple
            sparql10/expr-equals/eq-graph-1 sparql10/expr-equals/eq-graph-2 sparql11/cast/cast-bool sparql11/cast/cast-decimal
            sparql11/cast/cast-double sparql11/cast/cast-float sparql11/cast/cast-int sparql11/cast/cast-string""",
        "a number is put into canonical form in the data, but not in the query": "sparql10/basic/term-6 sparql10/basic/term-7",
        "dateTimes and dates with and without a time zone are compared as if they had one, or lose it": """
            sparql10/expr-equals/eq-dateTime sparql10/expr-ops/dateTime-ge-2 sparql10/expr-ops/dateTime-gt-2
            sparql10/expr-ops/dateTime-le-2 sparql10/expr-ops/dateTime-lt-2 sparql10/open-world/date-1 sparql10/open-world/date-2
            sparql10/open-world/date-3 sparql10/open-world/date-4 sparql11/functions/timezone""",
        "arithmetic on xsd:float gives xsd:double, or decimals where integers are due": """
            sparql10/expr-ops/divide-numbers-cast sparql10/expr-ops/multiply-numbers-cast sparql10/expr-ops/unminus-2
            sparql10/expr-ops/unplus-2 sparql11/project-expression/projexp03""",
        "GRAPH of a graph that is not there gives a solution": "sparql10/graph/graph-not-exist",
        "comparing literals of different or unknown datatypes gives an answer, not an error": """
            sparql10/open-world/open-cmp-01 sparql10/open-world/open-cmp-02 sparql10/open-world/open-eq-04
            sparql10/open-world/open-eq-06 sparql10/open-world/open-eq-08 sparql10/open-world/open-eq-10
            sparql10/open-world/open-eq-11 sparql10/open-world/open-eq-12""",
        "the flags x and q of REGEX, and i of REPLACE, are not known": """
            sparql10/regex/regex-ignore-whitespaces sparql10/regex/regex-ignore-whitespaces-class-expression
            sparql10/regex/regex-no-metacharacters sparql10/regex/regex-no-metacharacters-case-insensitive
            sparql11/functions/replace-case-insensitive""",
        "GROUP BY over no solutions gives a row": "sparql11/aggregates/agg-empty-group-count-1 sparql11/aggregates/agg-empty-group-max-1",
        "an error in an aggregate leaves the value out instead of failing the group": "sparql11/aggregates/agg-err-01",
        "GROUP BY of a function call does not group": "sparql11/aggregates/agg-group-fn",
        "BNODE(text) gives one node for the whole answer, not one per solution": "sparql11/functions/bnode01",
        "COALESCE() and CONCAT() without arguments are not taken": "sparql11/functions/coalesce-empty sparql11/functions/concat-empty",
        "STRDT takes a literal with a language tag or another datatype": "sparql11/functions/strdt01 sparql11/functions/strdt03-rdf11",
        "an inverse predicate in a negated property set is refused": """
            sparql11/property-path/nps_a_inverse sparql11/property-path/nps_direct_and_inverse sparql11/property-path/nps_inverse""",
        "a nested * path gives a node more than once": "sparql11/property-path/pp37",
        "a path of length zero starts at a term that is not in the data": "sparql11/property-path/values_and_path",
        "a subquery sees a variable that it does not project": "sparql11/subquery/subquery13",
    }
)

FUSEKI = by_test(
    {
        "an IRI in the query is normalised (its dot segments), one in the data is not": "sparql10/i18n/normalization-2",
        "a cast of a boolean to boolean keeps the lexical form": "sparql11/cast/cast-bool",
        "BNODE(text) gives a new node for each call in a solution": "sparql11/functions/bnode01",
        "+ concatenates strings, and what STR makes of other terms, where the recommendation has an error": """
            sparql11/functions/plus-1-corrected sparql11/functions/plus-2-corrected""",
        "a path of length zero starts at a term that is not in the data": "sparql11/property-path/values_and_path",
    }
)
