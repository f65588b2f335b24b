from functools import cached_property as once

__all__ = ["once"]
