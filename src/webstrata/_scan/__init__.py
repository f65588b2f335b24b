"""The native pass: UTF-8 HTML in, columns out. `webstrata.page` is the way in for people."""
