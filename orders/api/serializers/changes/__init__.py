"""Changes of orders: the requests of their returns, and edits, with what staff send to make those."""
