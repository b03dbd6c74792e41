"""The screens of shipping."""

from fulfillment.admin import options, sets, zones

__all__ = ["options", "sets", "zones"]
