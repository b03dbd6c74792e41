"""The grid of prices and stock of many variants, in one table."""
