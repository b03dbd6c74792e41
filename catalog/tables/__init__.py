"""Spreadsheets of the catalogue: what `kit/tables` imports and exports."""
