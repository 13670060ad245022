"""What start-up made is spared by later collections; what comes after it is not."""

import gc
import weakref

from {{ cookiecutter.package_name }}.infrastructure.garbage import spare_startup


class Node:
    """Refers to itself, so that only a collection ends it."""

    def __init__(self) -> None:
        self.me = self


def test_what_is_alive_is_spared_and_later_garbage_still_goes() -> None:
    try:
        assert spare_startup() > 1000

        later = Node()
        gone = weakref.ref(later)
        del later
        gc.collect()

        assert gone() is None
    finally:
        gc.unfreeze()


def test_garbage_of_the_start_is_not_kept() -> None:
    old = Node()
    gone = weakref.ref(old)
    del old
    try:
        spare_startup()

        assert gone() is None
    finally:
        gc.unfreeze()
