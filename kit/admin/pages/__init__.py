"""What stands around every page: site, navigation, dashboard, palette."""
