"""The files of models: what they say of themselves is not believed."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.models.files import load_arrays


@pytest.mark.parametrize("length", [10**9, 10**18])
def test_an_array_that_is_said_to_be_larger_than_it_is(length: int) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (length,)})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word_weight.npy", header.getvalue() + bytes(4))
    with pytest.raises(InputError, match="cannot read the model"):
        load_arrays(file)


def test_a_part_that_is_no_array() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("notes.txt", "nothing")
    with pytest.raises(InputError, match="cannot read the model"):
        load_arrays(file)
