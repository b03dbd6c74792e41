"""The shop file's sections of payments."""

from payments.shop_file.refund_reasons import RefundReasons

__all__ = ["RefundReasons"]
