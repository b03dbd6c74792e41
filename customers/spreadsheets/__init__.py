"""The spreadsheet of customers."""
