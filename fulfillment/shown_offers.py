"""Offers as answers show them, ready for JSON. What store callers do not see stays null (behaviour.md 0.20)."""

from collections.abc import Sequence

import orjson
from django.conf import settings

from catalog.calculated_prices import Shown
from catalog.price_rules import Rule
from catalog.price_selection import Candidate
from commerce.kit.core.timestamps import iso
from commerce.kit.projection.rows import stored_number
from fulfillment.offer_rows import PRICES, OptionRow, PriceRow
from fulfillment.offers import Offer

PICKUP = "pickup"


def show(offers: Sequence[Offer]) -> list[Shown]:
    """Each with all that its resource has. One statement where the shop shows prices in all currencies, else none."""
    prices = _all_prices(offers) if settings.SHOW_ALL_CURRENCIES else {offer.id: _own_prices(offer) for offer in offers}
    return [_shown(offer, prices[offer.id]) for offer in offers]


def _shown(offer: Offer, prices: Sequence[Shown]) -> Shown:
    option, price = offer.option, offer.price and offer.price.shown
    return {
        "id": option.id,
        "name": option.name,
        "price_type": option.price_type,
        "service_zone_id": option.service_zone_id,
        "provider_id": option.provider_id,
        "shipping_profile_id": option.shipping_profile_id,
        "data": _json(option.data) if settings.SHOW_PROVIDER_DATA else None,
        "amount": price and price["calculated_amount"],
        "is_tax_inclusive": bool(price and price["is_calculated_price_tax_inclusive"]),
        "insufficient_inventory": offer.is_short,
        "provider": option.provider_id and {"id": option.provider_id, "is_enabled": bool(option.provider_is_enabled)},
        "type": option.type_id
        and {
            "id": option.type_id,
            "label": option.type_label,
            "description": option.type_description,
            "code": option.type_code,
        },
        "prices": prices,
        "calculated_price": price,
        "service_zone": {
            "id": option.service_zone_id,
            "fulfillment_set_id": option.fulfillment_set_id,
            "fulfillment_set": {
                "id": option.fulfillment_set_id,
                "type": option.fulfillment_set_type,
                "location": {"id": option.location_id, "address": _address(option)},
            },
        },
    }


def _address(option: OptionRow) -> Shown | None:
    """Without SHOW_WAREHOUSE_ADDRESSES, that of a pickup location only."""
    is_public = settings.SHOW_WAREHOUSE_ADDRESSES or option.fulfillment_set_type == PICKUP
    address = option.address
    if not is_public or address.id is None:
        return None
    dates = {name: getattr(address, name) for name in ("created_at", "updated_at", "deleted_at")}
    return {
        **address._asdict(),
        "metadata": _json(address.metadata),
        **{name: None if text is None else iso(text) for name, text in dates.items()},
    }


def _json(text: str | None) -> orjson.Fragment | None:
    return None if text is None else orjson.Fragment(text)


def _own_prices(offer: Offer) -> list[Shown]:
    """Those of the cart's currency that stand in no price list."""
    return [_price(each) for each in sorted(offer.candidates) if each.price_list is None]


def _all_prices(offers: Sequence[Offer]) -> dict[str, list[Shown]]:
    sets = {price_set_id: offer.id for offer in offers if (price_set_id := offer.option.price_set_id)}
    rows: dict[str, PriceRow] = {}
    rules: dict[str, list[Rule]] = {}
    for row in PRICES.read(sorted(sets)):
        rows[row.id] = row
        if row.rules__id is not None and row.rules__deleted_at is None:
            rule = Rule(row.rules__attribute, row.rules__operator, row.rules__value, row.rules__id)
            rules.setdefault(row.id, []).append(rule)
    found: dict[str, list[Shown]] = {offer.id: [] for offer in offers}
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
