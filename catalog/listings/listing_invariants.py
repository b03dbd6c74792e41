"""The invariants of the listed products, which `manage.py verify_ledger` checks (catalog/listings)."""

from functools import partial

from django.db.models.query import RawQuerySet

from catalog.listings.group_queries import GROUP_LISTINGS, GroupListing
from catalog.listings.queries import DIFFERENCES
from catalog.models import Product
from kit.domain.invariants import Invariant


def _wrong_rows() -> RawQuerySet[Product]:
    """A product for each row that is missing, left over or different, with the row's `sales_channel_id`."""
    return Product.objects.raw(DIFFERENCES)


def _wrong_rows_by(listing: GroupListing) -> RawQuerySet[Product]:
    """Like _wrong_rows, with the row's `group_id`, too."""
    return Product.objects.raw(listing.differences)


LISTING_INVARIANTS = (
    Invariant(
        _wrong_rows,
        "The listing of product {id} in sales channel {sales_channel_id} differs from the product: run rebuild_search",
    ),
    *(
        Invariant(
            partial(_wrong_rows_by, listing),
            f"The listing of product {{id}} by {listing.group} {{group_id}} in sales channel {{sales_channel_id}} "
            "differs from the product: run rebuild_search",
        )
        for listing in GROUP_LISTINGS
    ),
)
