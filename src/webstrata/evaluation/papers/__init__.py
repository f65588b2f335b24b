"""The papers' own experiments on their own data, with the printed figures beside ours: one module a paper."""
