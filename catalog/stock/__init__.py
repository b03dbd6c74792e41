"""Stock: levels, movements, reservations, claims."""
