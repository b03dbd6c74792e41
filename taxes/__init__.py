"""Tax regions, tax rates and tax providers: which taxes apply to goods in a place."""
