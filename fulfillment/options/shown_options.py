"""Available options as answers show them, ready for JSON. What callers may not see is null.

Why: docs/decisions/shipping.md#warehouses-and-foreign-prices-stay-private.
"""

from collections.abc import Sequence

import orjson
from django.conf import settings

from catalog.prices.calculated_prices import Shown
from catalog.prices.price_rules import Rule
from catalog.prices.price_selection import Candidate
from fulfillment.options.available_options import AvailableOption
from fulfillment.options.option_rows import PRICES, OptionRow, PriceRow
from kit.reads.plans.rows import stored_number
from kit.values.timestamps import iso

PICKUP = "pickup"


def show(options: Sequence[AvailableOption]) -> list[Shown]:
    """Each option with all fields of its resource. One statement with SHOW_ALL_CURRENCIES, else none."""
    prices = (
        _all_prices(options) if settings.SHOW_ALL_CURRENCIES else {option.id: _own_prices(option) for option in options}
    )
    return [_shown(option, prices[option.id]) for option in options]


def _shown(option: AvailableOption, prices: Sequence[Shown]) -> Shown:
    row, price = option.row, option.price and option.price.shown
    return {
        "id": row.id,
        "name": row.name,
        "price_type": row.price_type,
        "service_zone_id": row.service_zone_id,
        "provider_id": row.provider_id,
        "shipping_profile_id": row.shipping_profile_id,
        "data": _json(row.data) if settings.SHOW_PROVIDER_DATA else None,
        "amount": price and price["calculated_amount"],
        "is_tax_inclusive": bool(price and price["is_calculated_price_tax_inclusive"]),
        "insufficient_inventory": option.is_short,
        "provider": row.provider_id and {"id": row.provider_id, "is_enabled": bool(row.provider_is_enabled)},
        "type": row.type_id
        and {
            "id": row.type_id,
            "label": row.type_label,
            "description": row.type_description,
            "code": row.type_code,
        },
        "prices": prices,
        "calculated_price": price,
        "service_zone": {
            "id": row.service_zone_id,
            "fulfillment_set_id": row.fulfillment_set_id,
            "fulfillment_set": {
                "id": row.fulfillment_set_id,
                "type": row.fulfillment_set_type,
                "location": {"id": row.location_id, "address": _address(row)},
            },
        },
    }


def _address(row: OptionRow) -> Shown | None:
    """Without SHOW_WAREHOUSE_ADDRESSES, only the address of a pickup location."""
    is_public = settings.SHOW_WAREHOUSE_ADDRESSES or row.fulfillment_set_type == PICKUP
    address = row.address
    if not is_public or address["id"] is None:
        return None
    return {
        **address,
        "metadata": _json(address["metadata"]),
        "created_at": _date(address["created_at"]),
        "updated_at": _date(address["updated_at"]),
        "deleted_at": _date(address["deleted_at"]),
    }


def _date(text: str | None) -> str | None:
    return None if text is None else iso(text)


def _json(text: str | None) -> orjson.Fragment | None:
    return None if text is None else orjson.Fragment(text)


def _own_prices(option: AvailableOption) -> list[Shown]:
    """The prices in the cart's currency that are in no price list."""
    return [_price(each) for each in sorted(option.candidates) if each.price_list is None]


def _all_prices(options: Sequence[AvailableOption]) -> dict[str, list[Shown]]:
    sets = {price_set_id: option.id for option in options if (price_set_id := option.row.price_set_id)}
    rows: dict[str, PriceRow] = {}
    rules: dict[str, list[Rule]] = {}
    for row in PRICES.read(sorted(sets)):
        rows[row.id] = row
        if row.rules__id is not None and row.rules__deleted_at is None:
            rule = Rule(row.rules__attribute, row.rules__operator, row.rules__value, row.rules__id)
            rules.setdefault(row.id, []).append(rule)
    found: dict[str, list[Shown]] = {option.id: [] for option in options}
    for price_id, row in sorted(rows.items()):
        price = Candidate(price_id, row.amount, row.currency_id, row.min_quantity, row.max_quantity)
        found[sets[row.price_set_id]].append(_price(price._replace(rules=tuple(rules.get(price_id, ())))))
    return found


def _price(price: Candidate) -> Shown:
    return {
        "id": price.id,
        "currency_code": price.currency_code,
        "amount": stored_number(price.amount),
        "min_quantity": price.min_quantity,
        "max_quantity": price.max_quantity,
        "price_rules": [
            {"id": rule.id, "attribute": rule.attribute, "operator": rule.operator, "value": rule.value}
            for rule in sorted(price.rules)
        ],
    }
