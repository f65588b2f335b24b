TAGS: tuple[str, ...]
INLINE_TAGS: frozenset[str]
VOID_TAGS: frozenset[str]
BOXED_TAGS: frozenset[str]
