"""Base classes of screens."""
