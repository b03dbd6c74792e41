"""Creating, changing and deleting fulfillment sets, zones, options and their rules."""
