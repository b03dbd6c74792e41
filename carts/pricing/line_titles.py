"""What refusals call the lines of a cart: shoppers know titles, not ids."""

from collections.abc import Collection, Iterable

from carts.models import LineItem
from carts.pricing.cart_rows import LineRow


def line_titles(lines: Collection[LineRow]) -> Iterable[str]:
    """`Mug (Blue)` for each line, in their order, none twice. One statement."""
    stored = LineItem.objects.filter(pk__in=[line.id for line in lines if not line.is_new])
    titles = {line_id: names for line_id, *names in stored.values_list("id", "title", "variant_title")}
    named = (
        titles.get(line.id) or [line.constants.get("title"), line.constants.get("variant_title")] for line in lines
    )
    return dict.fromkeys(f"{title} ({variant})" if variant else str(title) for title, variant in named)
