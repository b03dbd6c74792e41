"""Payment collections: locked, their totals, the money that nobody claims."""
