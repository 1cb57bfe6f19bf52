"""The weights of a learned evaluator and their file, which has no pickles."""

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

#: The suffix of files of weights.
SUFFIX = ".npz"
FORMAT = 1
#: The greatest size in bytes.
_LARGEST = 1 << 26
_ARRAYS = ("skip", "hidden", "bias", "out")


@attrs.frozen(kw_only=True, eq=False)
class Network:
    """A linear skip and one hidden layer of ReLU units; linear without units."""

    #: Weights of the inputs. Shape (N,).
    skip: Array
    #: Weights from inputs to units, biases and output weights of the units.
    #: Shapes (N, H), (H,), (H,).
    hidden: Array
    bias: Array
    out: Array
    #: Its origin: game, players and options, command, seed, versions, results.
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
        """Number of inputs, N."""
        return len(self.skip)

    @property
    def payoff_range(self) -> float:
        """The range of payoffs, if it predicts shares of the payoff; 0: chances of winning."""
        return float(self.document.get("payoff_range", 0.0))

    @property
    def parameters(self) -> Array:
        """All weights in one row for `mpsearch.gamekit.learned`.

        The number of units, the range of payoffs, the units' biases and weights, and a row of
        weights for each input, the skip first.
        """
        rows = np.column_stack([self.skip, self.hidden])
        head = [len(self.out), self.payoff_range]
        return np.concatenate([head, self.bias, self.out, rows.ravel()]).astype(float)

    def logits(self, rows: Array) -> Array:
        """The outputs for rows of inputs. Shape (K, N) to (K,)."""
        units = np.maximum(rows @ self.hidden + self.bias, 0)
        outputs: Array = rows @ self.skip + units @ self.out
        return outputs

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
    """Read a network from a file or a package resource; UsageError says what is wrong."""
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
