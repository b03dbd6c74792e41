"""Stock locations and shipping profiles."""
