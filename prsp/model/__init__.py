"""The nouns of prsp: frozen values without I/O that import nothing else of ours."""

from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature
from prsp.model.profile import PROFILES, Bounds, Operator, Origin, Placement, Profile, Strategy
from prsp.model.query import ContinuousQuery, QueryForm, Registration, RegistrationKind, Rho, StaticGraphs, StreamWindow
from prsp.model.term import IRI, BlankNode, Literal, Term, Variable
from prsp.model.window import MAX_MILLISECONDS, CountWindow, TimeWindow, Window

__all__ = [
    "IRI",
    "MAX_MILLISECONDS",
    "PROFILES",
    "Ability",
    "BlankNode",
    "Bounds",
    "Capabilities",
    "ContinuousQuery",
    "CountWindow",
    "Feature",
    "Literal",
    "Operator",
    "Origin",
    "Placement",
    "Profile",
    "QueryForm",
    "Registration",
    "RegistrationKind",
    "Rho",
    "StaticGraphs",
    "Strategy",
    "StreamWindow",
    "Term",
    "TimeWindow",
    "Variable",
    "Window",
]
