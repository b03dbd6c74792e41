"""Writing changes of products by the catalogue's verbs: labels, options, products with their parts, sales, stock."""

from collections.abc import Iterator, Sequence
from typing import Any

from catalog.nested_writes import products
from catalog.products import option_editing
from catalog.rule_attributes import REGION
from catalog.spreadsheets.exported_products import stock_fields
from catalog.spreadsheets.price_columns import price_field, sale_field
from catalog.spreadsheets.product_changes import ProductChange, VariantChange
from catalog.spreadsheets.references import New, References
from catalog.spreadsheets.stored_prices import Terms
from catalog.spreadsheets.variant_writing import put_sale, put_stock
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.spreadsheets.declarations import Values, Written
from kit.values.ids import new_id

_LABELED = {"type_id": "type", "tags": "tag"}


def write_products(
    changes: Sequence[ProductChange],
    before: Sequence[list[Values]],
    *,
    references: References,
    sale: str,
    actor: Actor,
) -> list[Written]:
    """before: the rows of each product as stored. sale: the title of the list of sale prices. Raises DomainError."""
    with reported():
        for attribute, kind in _LABELED.items():
            references.create(kind, _new_labels(changes, attribute), actor=actor)
        for change in changes:
            for made in change.variants:
                made.id = made.stored.id if made.stored else new_id("variant")
        _put_options(changes, actor)
        written = products.VERBS.put_inside(actor=actor, states=[_state(change, references) for change in changes])
        variants = [made for change in changes for made in change.variants]
        put_sale(variants, sale, actor)
        stocked = put_stock(variants, actor)
    return [
        Written(
            one.row.pk,
            _undo_rows(rows, change, stocked, references, sale),
            [
                (made.id, f"{one.row.title}: {made.values['title']}")
                for made in change.variants
                if change.stored and not made.stored
            ],
        )
        for one, change, rows in zip(written, changes, before, strict=True)
    ]


def _new_labels(changes: Sequence[ProductChange], attribute: str) -> Iterator[str]:
    for change in changes:
        value = change.values.get(attribute)
        yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, New))


def _put_options(changes: Sequence[ProductChange], actor: Actor) -> None:
    """Give the options of stored products their new values, and stored products new options."""
    verbs, states = option_editing.VERBS, []
    for change in changes:
        if change.stored:
            for title, values in change.options.items():
                option = change.stored.options.get(title)
                known = {"id": option[0]} if option else {"product_id": change.stored.id, "title": title}
                states.append(verbs.state(values=values, **known))
    if states:
        verbs.put_inside(actor=actor, states=states)


def _state(change: ProductChange, references: References) -> Any:
    values = {name: _with_ids(name, value, references) for name, value in change.values.items()}
    if "images" in values:
        values["images"] = [{"url": url} for url in values["images"]]
    nested = [made for made in change.variants if made.is_nested]
    if change.stored is None:
        values["options"] = [{"title": title, "values": each} for title, each in change.options.items()]
        values["variants"] = [_variant(made) for made in nested]
        return products.VERBS.state(**values)
    if nested:
        changed = {made.id: _variant(made) for made in nested}
        kept = [changed.pop(one.id, {"id": one.id}) for one in change.stored.variants]
        values["variants"] = [*kept, *changed.values()]
    return products.VERBS.state(id=change.stored.id, **values)


def _with_ids(attribute: str, value: Any, references: References) -> Any:
    """The value with the ids of labels that were new."""
    kind = _LABELED.get(attribute)
    if kind is None or value is None:
        return value
    return [references.id(kind, one) for one in value] if isinstance(value, list) else references.id(kind, value)


def _variant(made: VariantChange) -> dict[str, Any]:
    values = {**made.values, **({"new_id": made.id} if made.stored is None else {"id": made.id})}
    if made.options is not None:
        values["options"] = made.options
    if made.prices:
        values["prices"] = [*_prices(made)]
    return values


def _prices(made: VariantChange) -> Iterator[dict[str, Any]]:
    """All prices outside price lists, as they replace the stored ones."""
    stored = made.stored.prices if made.stored else {}
    yield from ({"id": key} for key in (made.stored.others if made.stored else ()))
    for terms, (key, _) in stored.items():
        if terms not in made.prices:
            yield {"id": key}
    for terms, amount in made.prices.items():
        if amount is not None:
            yield {"id": stored[terms][0], "amount": amount} if terms in stored else _price(terms, amount)


def _price(terms: Terms, amount: Any) -> dict[str, Any]:
    currency, region = terms
    return {"currency_code": currency, "amount": amount, "rules": {REGION: region} if region else {}}


def _undo_rows(
    rows: list[Values],
    change: ProductChange,
    stocked: dict[tuple[str, str], tuple[int, int]],
    references: References,
    sale: str,
) -> list[Values]:
    """The rows of the product as stored, with empty cells for prices that it did not have, and what was booked."""
    of_variants = {row.get("variant_id"): row for row in rows}
    for made in change.variants:
        row = of_variants.get(made.id)
        if row is not None:
            for terms in made.prices:
                row.setdefault(price_field(terms, references), None)
            for currency in made.sale:
                row.setdefault(sale_field(currency, sale), None)
            for location in made.stock:
                row |= stock_fields(location, *stocked[made.id, location], references)
    return rows
