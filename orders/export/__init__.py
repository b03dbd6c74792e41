"""Orders, or their lines, as CSV. Source: orders.md D19, section 6, case 38."""
