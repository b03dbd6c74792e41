"""Columns of prices of a sale: `EUR` is one in the chosen price list, `Summer [EUR]` one in the list of that title."""

from collections.abc import Collection

from kit.spreadsheets.declarations import Options

SALE = "Imported sale"
"""The price list that has the prices which are compared with higher ones, unless another title is chosen."""
_FIELD = "sale_price:"


def sale_titles(fields: Collection[str], options: Options) -> set[str]:
    """The titles of the lists that these fields of a file are about: writing takes one."""
    chosen = options.get("price_list") or SALE
    named = {list_and_currency(field.removeprefix(_FIELD))[0] or chosen for field in fields if field.startswith(_FIELD)}
    return named | ({chosen} if "compare_at" in fields else set())


def sale_title(fields: Collection[str], options: Options) -> str:
    """The one, or the chosen one."""
    return min(sale_titles(fields, options), default=options.get("price_list") or SALE)


def sale_field(currency: str, title: str) -> str:
    """The field of a price. It names the list unless a file with other options would mean it, too."""
    return f"{_FIELD}{currency.upper()}" if title == SALE else f"{_FIELD}{title} [{currency.upper()}]"


def list_and_currency(part: str) -> tuple[str, str]:
    """part: of a field. The title is "" for the chosen list."""
    title, bracket, code = part.rstrip("]").rpartition("[")
    return (title.strip(), code) if bracket else ("", part)
