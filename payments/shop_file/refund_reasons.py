"""Refund reasons in the shop file."""

from collections.abc import Mapping
from typing import ClassVar

from commerce.kit.core.text import LONGEST
from commerce.kit.shop_file.sections import RowsSection
from commerce.kit.shop_file.values import Metadata, Text, Value
from payments.models import RefundReason
from payments.reason_batches import VERBS


class RefundReasons(RowsSection[RefundReason]):
    """Every reason that is not deleted."""

    key = "refund_reasons"
    prefix = "refr"
    verbs = VERBS
    model = RefundReason
    natural_key = "code"
    fields: ClassVar[Mapping[str, Value]] = {
        "code": Text(required=True, longest=LONGEST, may_be_blank=False),
        "label": Text(required=True, longest=LONGEST, may_be_blank=False),
        "description": Text(nullable=True),
        "metadata": Metadata(),
    }
