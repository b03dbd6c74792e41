"""The screens of payments."""

from payments.admin import collections, glance, paid, refund_reasons, sessions

__all__ = ["collections", "glance", "paid", "refund_reasons", "sessions"]
