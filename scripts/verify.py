#!/usr/bin/env python3
"""Hold the simulator against everything that is known exactly: ``stressim verify``, without installing anything.

    python scripts/verify.py            some half an hour on two processors
    python scripts/verify.py --quick    some twenty seconds, once the kernels are compiled

Options are those of ``stressim verify``. The status is 1 if a check fails.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stressim.__main__ import main

if __name__ == "__main__":
    sys.argv[1:1] = ["verify"]
    main()
