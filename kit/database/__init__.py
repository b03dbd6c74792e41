"""What talks to the database below the ORM: raw SQL, budgets of time, replicas, pooler, locks, triggers; and Redis."""
