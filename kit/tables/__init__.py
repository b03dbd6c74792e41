"""Spreadsheets in and out: tables that apps declare, imports of files (upload, preview, apply) and exports."""
