"""The emails about orders."""
