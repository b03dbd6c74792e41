"""Tax regions, rates and providers."""

from tests.contract.routes.examples import Example, maintained
from tests.factories.products import (
    ProductFactory,
)
from tests.factories.taxes import tax_rate, tax_region

EXAMPLES = {
    **maintained("/admin/tax-regions", lambda: tax_region("fr"), {"country_code": "es"}, {"metadata": {"erp": 7}}),
    **maintained(
        "/admin/tax-rates",
        lambda: tax_rate("fr", 20, products=[ProductFactory()]),
        lambda: {"name": "IVA", "tax_region_id": tax_region("es").pk},
        {"rate": 21},
    ),
    "/admin/tax-providers": Example(lambda: "/admin/tax-providers"),
}
