"""Emails: queued as rows, rendered and sent in the background."""
