"""The same step for many orders: jobs that call its verb for each."""
