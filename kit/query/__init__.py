"""What a caller asks for: conditions, selection, page and order."""
