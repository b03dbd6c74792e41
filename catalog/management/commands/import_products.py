"""`manage.py import_products FILE`: products with variants, prices and stock from a spreadsheet."""

from kit.spreadsheets.commands import ImportCommand


class Command(ImportCommand):
    """Prints what would become of each product, and with --apply what has."""

    help = (
        "Import products from a file of CSV or XLSX: with the columns of export_products, of Medusa's template, or "
        "of an export from Shopify. Without --apply, it only shows what would change."
    )
    examples = ("import_products products.csv", "import_products products.csv --apply --stock set --undo before.csv")
    table = "products"
