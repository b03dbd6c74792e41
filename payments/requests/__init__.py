"""Requests to payment providers, and their events."""
