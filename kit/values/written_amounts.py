"""Amounts as people write them where the currency is at home: `£15.75`, `15,75 €`, `¥1,500`.

Why: docs/decisions/staff.md#amounts-as-people-write-them.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import NamedTuple, cast

from django.utils import numberformat

from kit.values.currency_symbols import sign
from kit.values.money import digits, rounded

_FORMS: Mapping[str, str] = {
    "¤1'234.5": "chf",
    "¤1.234,5": "ars bob clp cop idr lak try ves",
    "¤ 1.234,5": "awg bnd brl rwf srd uyu",
    "¤1 234,5": "crc nad zar",
    "¤ 1 234,5": "htg",
    "¤ 1 234.5": "top",
    "¤ 1,234.5": "ang mnt npr pen pyg",
    "1.234,5 ¤": "azn bam dkk eur isk mdl mkd ron rsd vnd",
    "1.234,5¤": "bif",
    "1 234,5 ¤": "all amd bgn byn cdf cve czk djf gel gnf huf kgs kzt mur mzn nok pln rub scr sek stn tjs tmt uah uzs "
    "xaf xof xpf",
    "1,234.5 ¤": "mmk pgk",
    "1,234.5¤": "bdt khr",
}
"""By a sample, in which `¤` stands for the sign. All others are written as in English."""
_ENGLISH = "¤1,234.5"
_SAMPLE = re.compile(r"(\D*)1(\D)234(\D)5(\D*)")
_BY_TWO = frozenset(("bdt", "btn", "inr", "npr"))
"""Above the last three digits: `₹12,34,567.50`."""
_FIXED_BLANK = "\u00a0"
"""A line does not break at it."""


class _Form(NamedTuple):
    before: str
    thousands: str
    decimal: str
    after: str
    grouping: int | Sequence[int]


def written(amount: Decimal, currency_code: str) -> str:
    """The amount with its sign and the currency's digits, rounded half-up: `-£1,250.00`, `1.250,00 €`."""
    exact, form = rounded(amount, currency_code), _form(currency_code)
    number = numberformat.format(
        abs(exact), form.decimal, digits(currency_code), form.grouping, form.thousands, force_grouping=True
    )
    return f"{'-' if exact < 0 else ''}{form.before}{number}{form.after}"


@cache
def _form(currency_code: str) -> _Form:
    """A sign of letters stands apart from the number."""
    sample = next((sample for sample, codes in _FORMS.items() if currency_code in codes.split()), _ENGLISH)
    own = sign(currency_code)
    spaced = sample.replace("¤1", "¤ 1") if own[-1:].isalpha() else sample
    before, thousands, decimal, after = (
        part.replace("¤", own).replace(" ", _FIXED_BLANK)
        for part in cast("re.Match[str]", _SAMPLE.fullmatch(spaced)).groups()
    )
    return _Form(before, thousands, decimal, after, (3, 2, 0) if currency_code in _BY_TWO else 3)
