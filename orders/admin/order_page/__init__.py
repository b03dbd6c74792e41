"""The page of one order: its items, customer, payments, shipments, returns and timeline."""
