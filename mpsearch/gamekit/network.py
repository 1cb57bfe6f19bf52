"""The weights of a learned evaluator and their file: plain arrays, never pickles."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch._util import Array
from mpsearch.errors import UsageError

#: How the name of a file with weights ends.
SUFFIX = ".npz"
#: The format of such a file.
FORMAT = 1
#: More bytes than these have no weights in them that a search could use.
_LARGEST = 1 << 26
_ARRAYS = ("skip", "hidden", "bias", "out")


@attrs.frozen(kw_only=True, eq=False)
class Network:
    """A linear skip and one hidden layer of rectified units; without units it is linear."""

    #: Weights of the inputs. Shape (N,).
    skip: Array
    #: Weights from inputs to units, the units' biases, and weights of the units.
    #: Shapes (N, H), (H,), (H,).
    hidden: Array
    bias: Array
    out: Array
    #: What made it: game, players and options, command, seed, versions, results.
    document: Mapping[str, Any] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        inputs, units = self.hidden.shape if self.hidden.ndim == 2 else (0, 0)
        shapes = (self.skip.shape, self.bias.shape, self.out.shape)
        if not inputs or shapes != ((inputs,), (units,), (units,)):
            raise ValueError("the shapes of the weights do not match")
        if not all(np.isfinite(getattr(self, name)).all() for name in _ARRAYS):
            raise ValueError("some weights are not finite")

    @property
    def inputs(self) -> int:
        """How many inputs there are, N."""
        return len(self.skip)

    @property
    def payoff_range(self) -> float:
        """How far payoffs can be apart, if it says shares of the payoff; 0: chances to win."""
        return float(self.document.get("payoff_range", 0.0))

    @property
    def parameters(self) -> Array:
        """All weights in one row, as `mpsearch.gamekit.learned` reads them.

        The number of units; the range of payoffs; the units' biases and weights; a row of weights
        for each input, the skip's first.
        """
        rows = np.column_stack([self.skip, self.hidden])
        head = [len(self.out), self.payoff_range]
        return np.concatenate([head, self.bias, self.out, rows.ravel()]).astype(float)

    def logits(self, rows: Array) -> Array:
        """What it says of rows of inputs. Shape (K, N) to (K,)."""
        units = np.maximum(rows @ self.hidden + self.bias, 0)
        said: Array = rows @ self.skip + units @ self.out
        return said

    def content(self) -> bytes:
        """The bytes of its file."""
        text = json.dumps({"format": FORMAT, **self.document}).encode()
        arrays: dict[str, Any] = {
            name: np.asarray(getattr(self, name), dtype=np.float32) for name in _ARRAYS
        }
        made = io.BytesIO()
        np.savez_compressed(made, document=np.frombuffer(text, np.uint8), **arrays)
        return made.getvalue()


def read_network(path: Any) -> Network:
    """The network in a file, or in a file of a package; UsageError says what is wrong with it."""
    path = Path(path) if isinstance(path, str) else path
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        return _parsed(content)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, RecursionError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else error
        raise UsageError(f"{path} is not a weights file of 'mpsearch train': {why}") from None


def _parsed(content: bytes) -> Network:
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        if sum(part.file_size for part in parts.infolist()) > _LARGEST:
            raise ValueError("it is too large")
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        document = json.loads(bytes(found["document"].astype(np.uint8)))
        if not isinstance(document, dict) or document.pop("format", None) != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        arrays = {name: found[name].astype(np.float64) for name in _ARRAYS}
    return Network(**arrays, document=document)
