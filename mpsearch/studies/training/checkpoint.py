"""Checkpoints of a training run: a folder beside the file of weights, removed at the end.

Files are written under a temporary name and renamed, so a killed run finds whole files or none.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.gamekit import Network, read_network
from mpsearch.studies.training.positions import Positions


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        raise MpsearchError(f"{path} could not be written: {error.strerror}") from None


class Checkpoint:
    """The folder of one run; UsageError if it belongs to a run with other settings."""

    def __init__(self, out: Path, settings: dict[str, Any]) -> None:
        self.folder = out.with_name(out.name + ".work")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--out {out} cannot be written: {error.strerror}") from None
        settings = json.loads(json.dumps(settings))
        before = self.read("settings")
        if before not in (None, settings):
            other = next(k for k in settings | before if settings.get(k) != before.get(k))
            raise UsageError(
                f"{self.folder} is of a run with another {other} ({before.get(other)}, not "
                f"{settings.get(other)}): repeat its settings to go on, or remove it"
            )
        self.write("settings", settings)

    def write(self, name: str, document: Any) -> None:
        """Write a JSON document."""
        write_whole(self.folder / f"{name}.json", json.dumps(document).encode())

    def read(self, name: str) -> Any:
        """A document; None if there is none."""
        path = self.folder / f"{name}.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def write_network(self, name: str, network: Network) -> Path:
        """Write a network and return its path."""
        path = self.folder / f"{name}.npz"
        write_whole(path, network.content())
        return path

    def read_network(self, name: str) -> Network:
        """Read a network."""
        return read_network(self.folder / f"{name}.npz")

    def write_positions(self, name: str, positions: Positions) -> None:
        """Write positions."""
        content = io.BytesIO()
        np.savez(content, **attrs.asdict(positions, recurse=False))
        write_whole(self.folder / f"{name}.npz", content.getvalue())

    def read_positions(self, name: str) -> Positions:
        """Read positions."""
        with np.load(self.folder / f"{name}.npz", allow_pickle=False) as found:
            return Positions(**found)

    def forget(self, name: str) -> None:
        """Remove a network or positions, if present."""
        (self.folder / f"{name}.npz").unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the folder at the end of the run."""
        shutil.rmtree(self.folder)
