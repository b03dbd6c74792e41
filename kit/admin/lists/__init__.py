"""Lists: columns, filters, links, results."""
