"""SQL by hand: the only place outside triggers and migrations."""
