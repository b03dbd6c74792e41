"""What refusals call the lines of a cart: shoppers know titles, not ids."""

from collections.abc import Collection, Iterable

from carts.models import LineItem
from carts.pricing.cart_rows import LineRow


def line_titles(lines: Collection[LineRow]) -> Iterable[str]:
    """`Mug (Blue)` for each line, in their order, none twice. One statement."""
    titles = stored_titles(line.id for line in lines if not line.is_new)
    return dict.fromkeys(
        titles.get(line.id) or titled(line.constants.get("title"), line.constants.get("variant_title"))
        for line in lines
    )


def stored_titles(line_ids: Iterable[str]) -> dict[str, str]:
    """The same of stored lines, by their ids. One statement."""
    rows = LineItem.objects.filter(pk__in=[*line_ids]).order_by("pk").values_list("pk", "title", "variant_title")
    return {line_id: titled(title, variant) for line_id, title, variant in rows}


def titled(title: object, variant: object) -> str:
    """`Mug (Blue)`, or `Mug` without a variant's title."""
    return f"{title} ({variant})" if variant else str(title)
