"""Staff's verbs on a whole order: change, complete, archive, cancel, add notes. Each locks the order."""
