"""The web page: look at the strata of a page, search a site, mark segments (``webstrata serve``, extra ``[web]``).

No algorithm lives here: every answer comes from the rooms of the package, and everything that the pages do can be done
through the JSON interface, which ``/api/openapi.json`` describes. What is shown, uploaded or fetched is hostile:
`security` guards the door, `frames` what is shown, `guarded` what is computed, `fetching` what is fetched.
"""
