[
    ('Makefile', 'tests/pictures tests/*/test_admin.py tests/orders/erasure', 'tests/pictures $(shell find tests -name test_admin.py) tests/orders/erasure'),
]
