"""Orders, or their lines, as CSV. Why: docs/decisions/orders.md#an-export-shows-one-moment."""
