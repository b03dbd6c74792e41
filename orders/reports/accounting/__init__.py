"""What accountants ask for, by period: sales and taxes as documents state them, vouchers, payments.

Sums over all time equal those of documents, ledger and payments: `verify_ledger` compares them
(orders/management/invariants/reports.py). Why: docs/decisions/invoices.md#reports-are-sums-of-documents.
"""
