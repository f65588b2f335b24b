"""Search that knows the strata of pages: an index, and rankings that weigh occurrences by their segments."""

from webstrata.search.analyser import Analyser
from webstrata.search.answers import Answer, Answers, Snippet
from webstrata.search.documents import STRATA, Document, Documenter
from webstrata.search.index import Index
from webstrata.search.queries import Query
from webstrata.search.rankings import RANKINGS

__all__ = [
    "RANKINGS",
    "STRATA",
    "Analyser",
    "Answer",
    "Answers",
    "Document",
    "Documenter",
    "Index",
    "Query",
    "Snippet",
]
