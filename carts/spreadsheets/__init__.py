"""The spreadsheet of promotion codes."""
