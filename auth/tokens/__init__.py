"""Signed tokens."""
