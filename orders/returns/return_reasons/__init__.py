"""Return reasons."""
