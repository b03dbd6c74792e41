"""The ledger of gift cards and store credit: accounts, entries, balances."""
