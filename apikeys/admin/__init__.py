"""The admin screens of API keys."""

from apikeys.admin import keys, summary

__all__ = ["keys", "summary"]
