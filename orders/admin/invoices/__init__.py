"""Invoices and credit notes on the admin site: their list, the page of each, and how they are printed."""
