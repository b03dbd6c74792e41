"""Links by which customers pay what an order still owes: made by staff and programs, and used on a page."""
