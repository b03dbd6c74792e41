"""Offers as answers show them, ready for JSON. What store callers do not see stays null (behaviour.md 0.20)."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.conf import settings

from catalog.calculated_prices import Shown
from catalog.price_rules import Rule
from commerce.kit.core.timestamps import iso
from commerce.kit.projection.rows import stored_number
from commerce.shop.models.addresses import PLACE_TEXTS
from fulfillment.offer_rows import PRICE, PRICES, address_column
from fulfillment.offers import Offer

PICKUP = "pickup"
_SET = "service_zone__fulfillment_set"


def show(offers: Sequence[Offer]) -> list[Shown]:
    """Each with all that its resource has. One statement where the shop shows prices in all currencies, else none."""
    prices = _all_prices(offers) if settings.SHOW_ALL_CURRENCIES else {offer.id: _own_prices(offer) for offer in offers}
    return [_shown(offer, prices[offer.id]) for offer in offers]


def _shown(offer: Offer, prices: Sequence[Shown]) -> Shown:
    option, price = offer.option, offer.price and offer.price.shown
    return {
        **{name: option[name] for name in _COLUMNS},
        "data": _json(option["data"]) if settings.SHOW_PROVIDER_DATA else None,
        "amount": price and price["calculated_amount"],
        "is_tax_inclusive": bool(price and price["is_calculated_price_tax_inclusive"]),
        "insufficient_inventory": offer.is_short,
        "provider": option["provider_id"]
        and {"id": option["provider_id"], "is_enabled": bool(option["provider__is_enabled"])},
        "type": option["type_id"]
        and {"id": option["type_id"], **{name: option[f"type__{name}"] for name in ("label", "description", "code")}},
        "prices": prices,
        "calculated_price": price,
        "service_zone": {
            "id": option["service_zone_id"],
            "fulfillment_set_id": option[f"{_SET}_id"],
            "fulfillment_set": {
                "id": option[f"{_SET}_id"],
                "type": option[f"{_SET}__type"],
                "location": {"id": option[f"{_SET}__location_id"], "address": _address(option)},
            },
        },
    }


_COLUMNS = ("id", "name", "price_type", "service_zone_id", "provider_id", "shipping_profile_id")


def _address(option: Mapping[str, Any]) -> Shown | None:
    is_told = settings.SHOW_WAREHOUSE_ADDRESSES or option[f"{_SET}__type"] == PICKUP
    if not is_told or option[address_column("id")] is None:
        return None
    deleted_at = option[address_column("deleted_at")]
    return {
        **{name: option[address_column(name)] for name in ("id", *PLACE_TEXTS)},
        "metadata": _json(option[address_column("metadata")]),
        "created_at": iso(option[address_column("created_at")]),
        "updated_at": iso(option[address_column("updated_at")]),
        "deleted_at": None if deleted_at is None else iso(deleted_at),
    }


def _json(text: str | None) -> orjson.Fragment | None:
    return None if text is None else orjson.Fragment(text)


def _own_prices(offer: Offer) -> list[Shown]:
    """Those of the cart's currency that stand in no price list."""
    return [
        _price((each.id, each.currency_code, each.amount, each.min_quantity, each.max_quantity), each.rules)
        for each in sorted(offer.candidates)
        if each.price_list is None
    ]


def _all_prices(offers: Sequence[Offer]) -> dict[str, list[Shown]]:
    sets = {offer.option["price_set_id"]: offer.id for offer in offers if offer.option["price_set_id"] is not None}
    rows: dict[str, tuple[Any, ...]] = {}
    rules: dict[str, list[Rule]] = {}
    for row in PRICES.read(sorted(sets)):
        rows[row[0]] = row[: len(PRICE)]
        rule_id, attribute, operator, value, deleted_at = row[len(PRICE) :]
        if rule_id is not None and deleted_at is None:
            rules.setdefault(row[0], []).append(Rule(attribute, operator, value, rule_id))
    found: dict[str, list[Shown]] = {offer.id: [] for offer in offers}
    for price_id in sorted(rows):
        _, price_set_id, *values = rows[price_id]
        found[sets[price_set_id]].append(_price((price_id, *values), rules.get(price_id, ())))
    return found


def _price(values: Sequence[Any], rules: Sequence[Rule]) -> Shown:
    """values: id, currency, amount, and the least and most pieces."""
    shown = dict(zip(("id", "currency_code", "amount", "min_quantity", "max_quantity"), values, strict=True))
    return {
        **shown,
        "amount": stored_number(shown["amount"]),
        "price_rules": [
            {"id": rule.id, "attribute": rule.attribute, "operator": rule.operator, "value": rule.value}
            for rule in sorted(rules)
        ],
    }
