"""Which rates goods owe."""
