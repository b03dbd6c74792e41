"""Imports and exports of spreadsheets: the pages of any spreadsheet that an app declares."""

from commerce.operations.admin.spreadsheets.screen import ImportAdmin

__all__ = ["ImportAdmin"]
