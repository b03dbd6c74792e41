"""The printed form of invoices and credit notes: one template for the print page and the PDF.

Why: docs/decisions/invoices.md#a-pdf-is-made-once-by-a-process-of-its-own.
"""
