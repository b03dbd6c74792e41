"""Processes of the server, and the classes of requests."""
