"""Spreadsheets of the catalogue: what `kit/spreadsheets` imports and exports."""
