"""Refund reasons in the shop file."""

from collections.abc import Mapping
from typing import ClassVar

from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Metadata, Text, Value
from kit.values.text import LONGEST
from payments.models import RefundReason
from payments.reasons.reason_batches import VERBS


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
