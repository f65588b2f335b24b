"""The posts of a thread and the comments on a page, with their authors and dates.

A post is an element whose class, id or type says so (``comment-5``, ``reply``, schema.org's Answer), which names its
author or its date, and which has text. An element that has these only inside of another such element is a wrapper, and
a head or a body without the other parts belongs to the post around it. Posts without elements of their own may be
declared in JSON-LD.
"""

from webstrata.extraction.posts.post import Post
from webstrata.extraction.posts.reader import find_posts

__all__ = ["Post", "find_posts"]
