"""The forms by which staff change placed orders: edits, exchanges and claims."""
