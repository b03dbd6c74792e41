"""Values and their rules: money, places, text, ids, timestamps, email addresses, metadata, JSON."""
