"""Types, inputs and scalars of the schema."""
