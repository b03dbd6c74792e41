"""The request bodies of products, their variants and prices."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from catalog.nested_writes import products, variants
from kit.rest.requests.input_fields import (
    BooleanField,
    CharField,
    DecimalField,
    DictField,
    IntegerField,
    ListField,
    expected,
)
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import Sendable, batch_input, row_input

_LARGEST = 2**31 - 1


class RowIdInput(Input):
    """A row, identified by its id."""

    id = CharField(allow_blank=False)

    def to_internal_value(self, data: Any) -> Any:
        """The id alone."""
        return super().to_internal_value(data)["id"]


class ProductImageInput(Input):
    """An image of a product. One with a stored `id` or `url` is kept. Images are shown in this order."""

    id = CharField(required=False, allow_blank=False)
    url = CharField(allow_blank=False, max_length=None)


class NewProductOptionInput(Input):
    """An option of a new product, with its values in order."""

    title = CharField(allow_blank=False)
    values = ListField()
    ranks = DictField(required=False, help_text="The position of each value, as a number.")
    is_exclusive = BooleanField(required=False, help_text="Must be true: an option belongs to one product.")

    def validate_ranks(self, ranks: Mapping[str, object]) -> Mapping[str, object]:
        """Raises ValidationError unless all ranks are numbers."""
        for rank in ranks.values():
            if type(rank) is not int:
                raise ValidationError(expected("number", "ranks", rank))
        return ranks

    def validate_is_exclusive(self, flag: bool) -> bool:
        """Raises ValidationError for an option that products would share."""
        if not flag:
            raise ValidationError("Value for field 'is_exclusive' must be true: an option belongs to one product")
        return flag


def _quantity() -> IntegerField:
    return IntegerField(required=False, allow_null=True, min_value=0, max_value=_LARGEST)


class BasePriceInput(Input):
    """A price of a variant, outside price lists: a new one, or a stored one.

    A stored price has the same `id`, or the same currency, quantities and rules.
    """

    id = CharField(required=False, allow_blank=False)
    currency_code = CharField(required=False, allow_blank=False)
    amount = DecimalField(required=False)
    min_quantity = _quantity()
    max_quantity = _quantity()
    rules = DictField(required=False, help_text="Conditions on the buyer: values by attribute, such as `region_id`.")


class NewInventoryItemLinkInput(Input):
    """An inventory item of a new variant."""

    inventory_item_id = CharField(allow_blank=False)
    required_quantity = IntegerField(min_value=1, max_value=_LARGEST)


def _items() -> Sendable:
    about = "Inventory items of a new variant. By default, one of its own if its inventory is managed."
    return NewInventoryItemLinkInput(many=True, required=False, help_text=about)


_OF_VARIANT: dict[str, Sendable | None] = {
    **dict.fromkeys(("product_id", "price_set_id", "images", "inventory_items")),
    "options": DictField(required=False, help_text="One value of each option, by the option's title."),
    "prices": BasePriceInput(
        many=True, required=False, help_text="All prices outside price lists: others are deleted."
    ),
}
NewVariantInput = row_input(
    variants.VERBS, "NewVariantInput", is_new=True, **_OF_VARIANT | {"inventory_items": _items()}
)
ProductVariantChangesInput = row_input(variants.VERBS, "ProductVariantChangesInput", is_new=False, **_OF_VARIANT)

_OF_PRODUCT_INPUTS = {"create": NewVariantInput, "update": ProductVariantChangesInput}
INPUTS_OF_PRODUCT = {
    **_OF_PRODUCT_INPUTS,
    "batch": batch_input(variants.VERBS, "VariantsOfProductBatchInput", _OF_PRODUCT_INPUTS),
}
"""By action, for the variants of one product."""


class ProductVariantInput(NewVariantInput):  # type: ignore[misc,valid-type]  # made by row_input
    """A new variant of a product."""

    product_id = CharField(allow_blank=False)


class ReplacedVariantInput(ProductVariantChangesInput):  # type: ignore[misc,valid-type]  # as above
    """A variant of a changed product: the stored one with that `id`, or a new one."""

    id = CharField(required=False, allow_blank=False)
    inventory_items = _items()


_OF_PRODUCT: Mapping[str, Sendable | None] = {
    "handle": CharField(required=False, allow_null=True, help_text="By default, made from the title."),
    "former_handles": ListField(required=False),
    **{name: RowIdInput(many=True, required=False) for name in ("tags", "categories", "sales_channels")},
    "images": ProductImageInput(many=True, required=False, help_text="All images: others are deleted."),
}
NewProductInput = row_input(
    products.VERBS,
    "ProductInput",
    is_new=True,
    **_OF_PRODUCT,
    options=NewProductOptionInput(many=True, required=False),
    option_ids=None,
    variants=NewVariantInput(many=True, required=False),
)
ProductChangesInput = row_input(
    products.VERBS,
    "ProductChangesInput",
    is_new=False,
    **_OF_PRODUCT,
    options=None,
    option_ids=ListField(required=False, help_text="Options to keep: others are deleted."),
    variants=ReplacedVariantInput(many=True, required=False, help_text="All variants: others are deleted."),
)
