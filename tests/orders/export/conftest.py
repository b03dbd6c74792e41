from tests.orders.refunds.conftest import fake

__all__ = ["fake"]
