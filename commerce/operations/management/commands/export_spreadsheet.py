"""`manage.py export_spreadsheet TABLE FILE`: prices, stock, customers and others as a spreadsheet."""

from kit.spreadsheets.commands import ExportCommand


class Command(ExportCommand):
    """Prints how many rows it wrote."""

    help = (
        "Write all rows of a table to a file of CSV or XLSX, which import_spreadsheet reads. Those of customers, gift "
        "cards and promotion codes hold personal data and whole codes: keep them safe."
    )
    examples = ("export_spreadsheet prices prices.csv", "export_spreadsheet customers customers.xlsx")
