"""Draft orders: carts that staff keep, and of which orders are made without a payment."""
