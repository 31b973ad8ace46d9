"""xsd:dateTime and xsd:date: reading, comparing, taking apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from prsp.model.term import XSD, Literal, Term
from prsp.oracle.problem import ExpressionError

DATE_TIME = XSD + "dateTime"
DATE = XSD + "date"

_DATE = r"(?P<year>-?(?:[1-9][0-9]{3,}|0[0-9]{3}))-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME = r"T(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}(?:\.[0-9]+)?)"
_ZONE = r"(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})?"
_PATTERNS = {DATE_TIME: re.compile(_DATE + _TIME + _ZONE), DATE: re.compile(_DATE + _ZONE)}
_MAX_ZONE = 14 * 60


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time as written: local fields and the zone's offset in minutes, if there is one."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: Fraction
    zone: int | None

    @property
    def local(self) -> Fraction:
        """Seconds of the local clock since the beginning of year 0, whatever the zone."""
        return Fraction(_days(self.year, self.month, self.day) * 86400 + self.hour * 3600 + self.minute * 60) + self.second


def moment(term: Term, datatype: str = DATE_TIME) -> Moment | None:
    """The moment a well-formed dateTime (or date, at its beginning) stands for; None for anything else."""
    match = _PATTERNS[datatype].fullmatch(term.lexical) if isinstance(term, Literal) and term.datatype == datatype else None
    if match is None:
        return None
    year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    hour, minute, second = (
        (0, 0, Fraction(0)) if datatype == DATE else (int(match["hour"]), int(match["minute"]), Fraction(match["second"]))
    )
    zone = _zone(match["zone"])
    midnight = hour == 24 and minute == 0 and second == 0
    in_range = 1 <= month <= 12 and 1 <= day <= _length(year, month) and (hour < 24 or midnight) and minute < 60 and second < 60
    if not in_range or (zone is not None and abs(zone) > _MAX_ZONE):
        return None
    return _next_day(year, month, day, zone) if midnight else Moment(year, month, day, hour, minute, second, zone)


def need_moment(term: Term) -> Moment:
    """The moment of a dateTime; a type error for anything else."""
    found = moment(term)
    if found is None:
        raise ExpressionError(f"{term} is not a dateTime")
    return found


def compare(a: Moment, b: Moment) -> int:
    """Negative, zero or positive; a type error where XML Schema's partial order leaves it open.

    That is so when one has no zone and some zone within ±14 hours would turn the answer around.
    """
    if (a.zone is None) == (b.zone is None):
        difference = sort_key(a) - sort_key(b)
        return (difference > 0) - (difference < 0)
    if a.zone is None:
        return -compare(b, a)
    if sort_key(a) < sort_key(b) - _MAX_ZONE * 60:
        return -1
    if sort_key(a) > sort_key(b) + _MAX_ZONE * 60:
        return 1
    raise ExpressionError("one of two dateTimes has no time zone, and they are too close to tell")


def sort_key(given: Moment) -> Fraction:
    """Seconds on one clock, no zone taken as UTC."""
    return given.local - 60 * (given.zone or 0)


def zone_text(given: Moment) -> str:
    """The zone as TZ gives it: empty if there is none."""
    if given.zone is None:
        return ""
    hours, minutes = divmod(abs(given.zone), 60)
    return f"{'-' if given.zone < 0 else '+'}{hours:02}:{minutes:02}" if given.zone else "Z"


def zone_duration(given: Moment) -> str:
    """The zone as a dayTimeDuration."""
    if given.zone is None:
        raise ExpressionError("the dateTime has no time zone")
    hours, minutes = divmod(abs(given.zone), 60)
    parts = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    return f"{'-' if given.zone < 0 else ''}PT{parts or '0S'}"


def _zone(written: str | None) -> int | None:
    if written is None or written == "Z":
        return None if written is None else 0
    minutes = int(written[1:3]) * 60 + int(written[4:6])
    return -minutes if written[0] == "-" else minutes


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _length(year: int, month: int) -> int:
    return 29 if month == 2 and _leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _days(year: int, month: int, day: int) -> int:
    before = 365 * year + (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400
    return before + sum(_length(year, earlier) for earlier in range(1, month)) + day


def _next_day(year: int, month: int, day: int, zone: int | None) -> Moment:
    if day < _length(year, month):
        day += 1
    else:
        year, month, day = (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)
    return Moment(year, month, day, 0, 0, Fraction(0), zone)
