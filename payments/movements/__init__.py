"""Capturing and refunding payments."""
