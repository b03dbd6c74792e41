"""Invoices and credit notes, which follow the value of an order."""
