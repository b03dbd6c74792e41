"""Who calls: the same callers as for REST."""

from tests.contract.conftest import admin, signed_in, store

__all__ = ["admin", "signed_in", "store"]
