"""Checkpoints of a training run: a folder beside the file of weights, until the run has ended.

Everything is written under another name first and then renamed, so that a run that is killed finds
whole files, or none, when it goes on.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from mpsearch.errors import MpsearchError, UsageError
from mpsearch.gamekit import Network, read_network
from mpsearch.studies.training.positions import Positions


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whoever reads it finds all of it, or what was there before."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        raise MpsearchError(f"{path} could not be written: {error.strerror}") from None


class Checkpoint:
    """The folder of one run; UsageError if it is that of a run with other settings."""

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
        """Keep a document."""
        write_whole(self.folder / f"{name}.json", json.dumps(document).encode())

    def read(self, name: str) -> Any:
        """A document that was kept; None if there is none."""
        path = self.folder / f"{name}.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def write_network(self, name: str, network: Network) -> Path:
        """Keep a network; its file."""
        path = self.folder / f"{name}.npz"
        write_whole(path, network.content())
        return path

    def read_network(self, name: str) -> Network:
        """A network that was kept."""
        return read_network(self.folder / f"{name}.npz")

    def write_positions(self, name: str, positions: Positions) -> None:
        """Keep positions."""
        content = io.BytesIO()
        np.savez(content, **positions.arrays())
        write_whole(self.folder / f"{name}.npz", content.getvalue())

    def read_positions(self, name: str) -> Positions:
        """Positions that were kept."""
        with np.load(self.folder / f"{name}.npz", allow_pickle=False) as found:
            return Positions(**found)

    def forget(self, name: str) -> None:
        """Remove what was kept under a name, if anything was."""
        (self.folder / f"{name}.npz").unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove all of it: the run has ended."""
        shutil.rmtree(self.folder)
