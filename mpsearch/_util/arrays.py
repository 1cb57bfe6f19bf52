"""Read-only arrays and mappings in frozen records; arrays compare by content."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]

_FLOAT = np.dtype(np.float64)


def frozen_array(values: Any) -> Array:
    """A read-only float array with the given content."""
    # Every decision makes some: other ways to write this take twice as long.
    if type(values) is np.ndarray and values.dtype is _FLOAT:
        flags, whole = values.flags, values.base
        if not flags.writeable and (
            flags.owndata
            or (type(whole) is np.ndarray and whole.flags.owndata and not whole.flags.writeable)
        ):
            return values  # already read-only, or part of a read-only array
    array = np.array(values, _FLOAT)
    array.setflags(False)  # type: ignore[call-arg]  # takes no keyword by position, says the stub
    return array


def frozen_mapping(table: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """A read-only mapping with the given content."""
    return MappingProxyType(dict(table))


def mapping_field(**settings: Any) -> Any:
    """An attrs field that holds a read-only mapping, and that a record's hash leaves out."""
    return attrs.field(converter=frozen_mapping, hash=False, **settings)


def array_field(**settings: Any) -> Any:
    """An attrs field that holds a read-only float array."""
    return attrs.field(
        converter=frozen_array, eq=attrs.cmp_using(eq=np.array_equal), hash=False, **settings
    )


def optional_array_field() -> Any:
    """As `array_field`, or None."""
    return attrs.field(
        default=None,
        converter=attrs.converters.optional(frozen_array),
        eq=attrs.cmp_using(eq=np.array_equal),
        hash=False,
    )


def plain(record: Any) -> dict[str, Any]:
    """An attrs record for JSON: arrays become lists."""
    return attrs.asdict(
        record, value_serializer=lambda _, __, v: v.tolist() if isinstance(v, np.ndarray) else v
    )
