"""The spreadsheet of gift cards."""
