"""The admin screens of API keys."""

from apikeys.admin import keys

__all__ = ["keys"]
