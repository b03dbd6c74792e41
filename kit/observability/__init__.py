"""Logs, metrics, reports of errors, the current request."""
