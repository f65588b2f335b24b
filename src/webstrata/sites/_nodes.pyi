from webstrata.text import Column

def names(source: Column, tag: Column, flags: Column, starts: Column, stops: Column) -> Column: ...
def recurrent(parent: Column, name: Column, skipped: Column, cover: float) -> Column: ...
def build(
    parent: Column, name: Column, skipped: Column, closed: Column, numbered: bool
) -> tuple[Column, Column, Column, Column]: ...
def texts(source: Column, starts: Column, stops: Column, hidden: Column, first: Column, end: Column) -> Column: ...
def assign(
    parent: Column,
    place: Column,
    text: Column,
    words: Column,
    body: Column,
    into: Column,
    flow: Column,
    outermost: bool,
    flows: bool,
) -> Column: ...
