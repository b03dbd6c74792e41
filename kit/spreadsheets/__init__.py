"""Spreadsheets in and out: spreadsheets that apps declare, imports of files (upload, preview, apply) and exports."""
