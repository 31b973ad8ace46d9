"""Colours, markers and dashes that tell engines apart: for every kind of colour vision, and in black and white."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

# Chosen so that any two of the first eight differ under protanopia, deuteranopia and tritanopia, on white and on near-black.
_LIGHT = ("#1c3fc8", "#a04a06", "#2f7f70", "#80289c", "#ab8d00", "#26202e", "#1b95f8", "#b00045")
_DARK = ("#5b93c9", "#ff6a2b", "#3ddc84", "#f493f4", "#ffe04d", "#d9f5f5", "#a070ff", "#e0727a")
# Shades of bars go from pale to full, so that they differ without colour, too.
_LIGHT_SHADES = ("#cfe0f3", "#6fa3d8", "#1d4f91")
_DARK_SHADES = ("#2d4a6b", "#5b93c9", "#cfe4fa")
_LIGHT_REST = {"ink": "#1d2127", "soft": "#4d5661", "grid": "#dde1e6", "axis": "#5f6873", "ground": "#ffffff"}
_DARK_REST = {"ink": "#e8eaed", "soft": "#b4bcc6", "grid": "#343a42", "axis": "#98a1ac", "ground": "#15181c"}

DASHES = ("", "7 3", "2 2.5", "9 3 2 3", "4 2", "12 3", "6 2 2 2 2 2")
MARKERS = ("circle", "square", "triangle", "diamond", "cross", "down", "plus", "star")


def _paint(series: tuple[str, ...], shades: tuple[str, ...], rest: Mapping[str, str]) -> Mapping[str, str]:
    named = {f"s{n}": colour for n, colour in enumerate(series)} | {f"t{n}": colour for n, colour in enumerate(shades)} | dict(rest)
    return MappingProxyType(named | {"none": "none"})


LIGHT = _paint(_LIGHT, _LIGHT_SHADES, _LIGHT_REST)
"""Literal colours on white: a figure that stands alone, and the page in light."""
DARK = _paint(_DARK, _DARK_SHADES, _DARK_REST)
"""Literal colours on near-black: the page in the dark."""
VARIABLES = MappingProxyType({name: f"var(--{name})" if name != "none" else "none" for name in LIGHT})
"""The page's own CSS variables: a figure in the page follows its colours."""


def colour(slot: int) -> str:
    """The name of the colour of the engine in that place."""
    return f"s{slot % len(_LIGHT)}"


def dash(slot: int) -> str:
    """The dashes of its lines; seven kinds to eight colours, so that the ninth engine differs from the first."""
    return DASHES[slot % len(DASHES)]


def marker(slot: int, x: float, y: float, size: float = 4.0) -> str:
    """The path of its marker around a point."""
    r = size
    match MARKERS[slot % len(MARKERS)]:
        case "circle":
            path = f"M{x - r:.1f} {y:.1f}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z"
        case "square":
            path = f"M{x - r * 0.9:.1f} {y - r * 0.9:.1f}h{r * 1.8:g}v{r * 1.8:g}h{-r * 1.8:g}z"
        case "triangle":
            path = f"M{x:.1f} {y - r * 1.2:.1f}l{r * 1.15:g} {r * 2:g}h{-r * 2.3:g}z"
        case "down":
            path = f"M{x:.1f} {y + r * 1.2:.1f}l{r * 1.15:g} {-r * 2:g}h{-r * 2.3:g}z"
        case "diamond":
            path = f"M{x:.1f} {y - r * 1.3:.1f}l{r * 1.3:g} {r * 1.3:g}l{-r * 1.3:g} {r * 1.3:g}l{-r * 1.3:g} {-r * 1.3:g}z"
        case "cross":
            path = f"M{x - r:.1f} {y - r:.1f}l{2 * r:g} {2 * r:g}m0 {-2 * r:g}l{-2 * r:g} {2 * r:g}"
        case "plus":
            path = f"M{x - r * 1.2:.1f} {y:.1f}h{r * 2.4:g}m{-r * 1.2:g} {-r * 1.2:g}v{r * 2.4:g}"
        case _:
            path = f"M{x - r:.1f} {y - r:.1f}l{2 * r:g} {2 * r:g}m0 {-2 * r:g}l{-2 * r:g} {2 * r:g}m{-r * 0.3:g} {-r:g}h{r * 2.6:g}"
    return re.sub(r"\.0(?=\D)", "", path)


def is_open(slot: int) -> bool:
    """Whether the marker is made of strokes alone."""
    return MARKERS[slot % len(MARKERS)] in ("cross", "plus", "star")
