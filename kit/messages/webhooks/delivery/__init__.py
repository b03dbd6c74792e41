"""Sending events to webhook endpoints, and trying again."""
