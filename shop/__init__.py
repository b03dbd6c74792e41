"""What the whole shop shares: store, sales channels, regions, locations, providers."""
