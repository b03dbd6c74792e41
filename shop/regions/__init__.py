"""Regions with their countries and taxes."""
