"""`manage.py import_spreadsheet TABLE FILE`: prices, stock, customers and others from a spreadsheet."""

from kit.spreadsheets.commands import ImportCommand


class Command(ImportCommand):
    """Prints what would become of each row, and with --apply what has."""

    help = (
        "Import a file of CSV or XLSX with the columns of export_spreadsheet, or with others that --map names. Without "
        "--apply, it only shows what would change."
    )
    examples = (
        "import_spreadsheet prices prices.csv",
        "import_spreadsheet stock stock.csv --apply --stock set --undo before.csv",
    )
