"""Files of spreadsheets, CSV and XLSX: their rows as texts, read from strangers' files, and written."""
