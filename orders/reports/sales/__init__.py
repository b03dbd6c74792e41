"""Sales: orders that are not canceled, with their amounts when placed. Later returns and refunds do not count."""
