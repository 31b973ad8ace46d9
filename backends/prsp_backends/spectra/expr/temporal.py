"""Dates and times: xsd:dateTime, xsd:date and xsd:time with and without time zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.node import XSD

DATE_TIME = XSD + "dateTime"
DATE = XSD + "date"
TIME = XSD + "time"
_ZONE = r"(Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?"
_DATE = r"(-?(?:[1-9][0-9]{4,}|[0-9]{4}))-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-4]):([0-5][0-9]):([0-5][0-9](?:\.[0-9]+)?)"
_PATTERNS = {
    DATE_TIME: re.compile(rf"{_DATE}T{_TIME}{_ZONE}\Z"),
    XSD + "dateTimeStamp": re.compile(rf"{_DATE}T{_TIME}{_ZONE}\Z"),
    DATE: re.compile(rf"{_DATE}()()(){_ZONE}\Z"),
    TIME: re.compile(rf"()()(){_TIME}{_ZONE}\Z"),
}
_FAMILY = {DATE_TIME: "dateTime", XSD + "dateTimeStamp": "dateTime", DATE: "date", TIME: "time"}
_LEAST_UNSURE = 14 * 3600
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of time: its fields, its zone in minutes or None, and seconds since the epoch as if the zone were UTC."""

    family: str
    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: Decimal
    zone: int | None
    instant: Decimal


@lru_cache(maxsize=4096)
def read_moment(lexical: str, datatype: str) -> Moment | None:
    """The moment a literal stands for, or None when it is none or ill-formed."""
    pattern = _PATTERNS.get(datatype)
    match = pattern.match(lexical) if pattern is not None else None
    if match is None:
        return None
    year, month, day = (int(part) if part else default for part, default in zip(match.group(1, 2, 3), (1972, 1, 1), strict=True))
    if day > _MONTH_DAYS[month - 1] or (month == 2 and day == 29 and not _leap(year)):
        return None
    hour, minute = (int(part) if part else 0 for part in match.group(4, 5))
    second = Decimal(match.group(6) or 0)
    if hour == 24 and (minute or second):
        return None
    zone = _zone(match.group(7))
    instant = Decimal(_days(year, month, day) * 86400 + hour * 3600 + minute * 60 - (zone or 0) * 60) + second
    return Moment(_FAMILY[datatype], year, month, day, hour, minute, second, zone, instant)


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _zone(text: str | None) -> int | None:
    if not text:
        return None
    if text == "Z":
        return 0
    minutes = int(text[1:3]) * 60 + int(text[4:6])
    return -minutes if text[0] == "-" else minutes


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the proleptic Gregorian calendar."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def compare_moments(left: Moment, right: Moment) -> int:
    """-1, 0 or 1; an error when only one has a zone and they are within 14 hours of each other."""
    if (left.zone is None) != (right.zone is None) and abs(left.instant - right.instant) <= _LEAST_UNSURE:
        raise ExpressionError
    return (left.instant > right.instant) - (left.instant < right.instant)


def zone_text(moment: Moment) -> str:
    """The time zone as written: ``Z``, ``+02:00``, or nothing."""
    if moment.zone is None:
        return ""
    if moment.zone == 0:
        return "Z"
    sign = "-" if moment.zone < 0 else "+"
    return f"{sign}{abs(moment.zone) // 60:02d}:{abs(moment.zone) % 60:02d}"


def zone_duration(moment: Moment) -> str:
    """The time zone as an xsd:dayTimeDuration; an error when there is none."""
    if moment.zone is None:
        raise ExpressionError
    hours, minutes = divmod(abs(moment.zone), 60)
    if not moment.zone:
        return "PT0S"
    sign = "-" if moment.zone < 0 else ""
    return f"{sign}PT" + (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
