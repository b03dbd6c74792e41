"""Taxes in GraphQL, for staff."""

from kit.graphql.fields.reads import ListField
from kit.graphql.fields.rows import row_mutations, row_queries
from taxes.api.admin import TaxProviders, TaxRates, TaxRegions

QUERIES = {
    **row_queries(TaxRegions),
    **row_queries(TaxRates),
    "tax_providers": ListField(
        TaxProviders.resource, "The tax providers. For staff.", permission=TaxProviders.permissions["list"]
    ),
}
MUTATIONS = {**row_mutations(TaxRegions), **row_mutations(TaxRates)}
