from webstrata.elements import Elements

class MarkedElement:
    row: int
    item: str
    relation: str
    words: str
    def __init__(self, elements: Elements, row: int, longest: int) -> None: ...

def names_around(elements: Elements, row: int, levels: int, longest: int) -> str: ...
def marked(elements: Elements, start: int, stop: int) -> tuple[list[int], list[int]]: ...
