ERASED: set[str] = set()
