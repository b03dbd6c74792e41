"""Fields of the shop file that follow from columns."""

import pytest

from carts.models import Promotion
from customers.models import Customer
from fulfillment.models import ShippingOption
from kit.editing.verbs import RowVerbs
from kit.shop_file.row_fields import row_fields
from kit.shop_file.values import Amount, Boolean, Choice, DateTime, Day, Integer, Metadata, Percent, Text
from shop.models import Region


def test_a_column_has_the_field_of_its_kind() -> None:
    columns = ("code", "is_automatic", "type", "value", "starts_at", "usage_limit", "metadata")
    assert row_fields(RowVerbs(Promotion, columns)) == {
        "code": Text(required=True, longest=255, may_be_blank=False),
        "is_automatic": Boolean(),
        "type": Choice(required=True, choices=("percentage", "fixed")),
        "value": Amount(required=True),
        "starts_at": DateTime(nullable=True),
        "usage_limit": Integer(nullable=True),
        "metadata": Metadata(),
    }
    assert row_fields(RowVerbs(Region, ("tax_rate",))) == {"tax_rate": Percent()}
    assert row_fields(RowVerbs(Customer, ("note", "tax_exempt_until"))) == {
        "note": Text(nullable=True),
        "tax_exempt_until": Day(nullable=True),
    }


def test_given_fields_take_the_place_of_their_columns_and_others_come_before_metadata() -> None:
    verbs = RowVerbs(Promotion, ("code", "currency_id", "products", "metadata"))
    given = {name: Text() for name in ("currency", "rules")} | {"handles": Text(attribute="products")}
    assert [*row_fields(verbs, **given)] == ["code", "currency", "handles", "rules", "metadata"]


def test_a_relation_needs_a_field() -> None:
    message = r"^ShippingOption\.service_zone_id has no field of a shop file: give one$"
    with pytest.raises(TypeError, match=message):
        row_fields(RowVerbs(ShippingOption, ("name", "service_zone_id")))
