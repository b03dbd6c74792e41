"""What is measured: one row a case."""

from tests.bench import (
    category_cases,
    credit_cases,
    order_cases,
    payment_cases,
    product_cases,
    program_cases,
    shopper_cases,
    staff_order_cases,
)

CASES = [
    *category_cases.CASES,
    *product_cases.CASES,
    *program_cases.CASES,
    *shopper_cases.CASES,
    *credit_cases.CASES,
    *payment_cases.CASES,
    *order_cases.CASES,
    *staff_order_cases.CASES,
]
