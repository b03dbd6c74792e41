"""`manage.py export_products FILE`: products with variants, prices and stock as a spreadsheet."""

from kit.spreadsheets.commands import ExportCommand


class Command(ExportCommand):
    """Prints how many rows it wrote."""

    help = "Write all products to a file of CSV or XLSX, with a row for each variant. import_products reads it back."
    examples = ("export_products products.csv", "export_products products.xlsx")
    table = "products"
