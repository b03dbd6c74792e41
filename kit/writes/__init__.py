"""Many rows written by one statement."""
