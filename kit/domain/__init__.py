"""What models and verbs have in common: actor, base model, soft deletion, transitions, hooks, invariants."""
