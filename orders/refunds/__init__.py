"""Refunds of orders: of what payments have captured, and of what gift cards and store credit have paid."""
