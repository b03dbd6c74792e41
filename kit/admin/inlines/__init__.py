"""Inlines and their formsets: the parts of a row as tables on its page."""
