"""Refund reasons in the shop file."""

from kit.shop_file.sections import RowsSection
from payments.models import RefundReason
from payments.reasons.refund_reasons import VERBS


class RefundReasons(RowsSection[RefundReason]):
    """Every reason that is not deleted."""

    key = "refund_reasons"
    natural_key = "code"
    verbs = VERBS
