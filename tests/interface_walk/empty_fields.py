"""The fields that are null or empty in every answer: nothing in the shop fills them, or no caller may see the value."""

_NO_WRITER = "neither the admin forms nor the shop file have this field"
_STAFF_ONLY = "shown to staff only, on the admin site"

EMPTY_FIELDS = {
    ("Customer", "deleted_at"): "a deleted customer cannot sign in",
    ("Adjustment", "description"): "the description of a promotion is for staff",
    ("Adjustment", "provider_id"): "the shop computes promotions itself, without a provider",
    ("Location address", "deleted_at"): "an address is deleted permanently, never marked as deleted",
    ("Transaction group", "metadata"): "the ledger writes its groups itself",
    ("Product option", "metadata"): _NO_WRITER,
    ("Variant option value", "metadata"): _NO_WRITER,
    ("Payment collection", "metadata"): "a collection is created for a cart only, without metadata",
    ("Payment", "data"): "the provider's data is private to the shop",
    ("Capture", "created_by"): _STAFF_ONLY,
    ("Refund", "note"): _STAFF_ONLY,
    ("Refund", "created_by"): _STAFF_ONLY,
}
"""Reasons by resource and field."""
