"""Formats of dates on the admin site, by language (FORMAT_MODULE_PATH)."""
