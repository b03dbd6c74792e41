"""Events, as rows of the transaction that caused them."""
