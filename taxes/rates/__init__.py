"""Which tax rates apply to goods."""
