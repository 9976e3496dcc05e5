"""Calls that fail, a few of each kind; `make fault` lets many more fail."""

import os
import sys

from system_daemon import SANITIZER, say

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fault"))
import fault  # noqa: E402  pylint: disable=wrong-import-position

GROWTH = 30


def test_a_call_that_fails_is_survived():
    if SANITIZER or not os.environ.get("CYCLOSOLVE_FAULT_LIBRARY"):
        say("left out: needs a daemon without a sanitizer, and the library of `make check-system`")
        return
    found = {kind: fault.sweep(kind, GROWTH) for kind in fault.KINDS[1:]}
    say(", ".join(f"{kind} {count}" for kind, count in found.items()))
    assert all(found.values()), found
