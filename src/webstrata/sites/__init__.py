"""Sites: what many pages of one site have in common. SOM trees, segment classes, template fingerprints."""
