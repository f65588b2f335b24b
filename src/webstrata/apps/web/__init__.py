"""The web page: look at the strata of a page, search a site, mark segments (``webstrata serve``, extra ``[web]``).

It has three views: viewer, search and annotator. No algorithm lives here, and the JSON interface, described in
``/api/openapi.json``, offers everything that the views do. Pages that are shown, uploaded or fetched are treated as
hostile: `security` checks requests, `frames` isolates what is shown, `guarded` limits what is computed, and
`webstrata.apps.fetching` what is fetched.
"""
