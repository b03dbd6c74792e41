"""Who calls: the same callers as for REST."""

from tests.contract.conftest import admin, store

__all__ = ["admin", "store"]
