"""Write what is expected of the golden pages anew: ``python tests/pages/regenerate.py [SLUG...]``.

Read the difference before it is committed. What a golden page is made of is told in ``tests/golden.py``.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "kits"))

from golden import regenerate

if __name__ == "__main__":
    regenerate(sys.argv[1:])
