"""Refund reasons in the shop file."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from commerce.kit.core.json import JSONObject
from commerce.kit.core.text import LONGEST
from commerce.kit.core.timestamps import isoformat
from commerce.kit.shop_file.sections import RowsSection
from commerce.kit.shop_file.values import Metadata, Text, Value
from payments.models import RefundReason


class RefundReasons(RowsSection[RefundReason]):
    """Every reason that is not deleted."""

    key = "refund_reasons"
    prefix = "refr"
    model = RefundReason
    natural_key = "code"
    fields: ClassVar[Mapping[str, Value]] = {
        "code": Text(required=True, longest=LONGEST, may_be_blank=False),
        "label": Text(required=True, longest=LONGEST, may_be_blank=False),
        "description": Text(nullable=True),
        "metadata": Metadata(),
    }

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        for reason in RefundReason.objects.not_deleted().order_by("pk").iterator():
            yield {
                "id": reason.pk,
                "code": reason.code,
                "label": reason.label,
                "description": reason.description,
                "metadata": reason.metadata,
                "created_at": isoformat(reason.created_at),
            }
