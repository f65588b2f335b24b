"""The search room: answers while one types, facets by the topics of links, rankings to choose, and reasons."""
