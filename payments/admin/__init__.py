"""The admin screens of payments."""

from payments.admin import collections, payments, refund_reasons, sessions, summary

__all__ = ["collections", "payments", "refund_reasons", "sessions", "summary"]
