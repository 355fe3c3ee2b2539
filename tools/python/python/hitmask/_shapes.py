"""What a shape returns besides arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


class Pieces(list[npt.NDArray[np.float32]]):
    """Convex pieces: arrays (n, 2) of float32. Pieces thinner than `min_width` are not among them.

    `left_out` is the number of those, and `left_out_area` their area in output units.
    """

    def __init__(self, pieces: list[npt.NDArray[np.float32]], left_out: int, left_out_area: float) -> None:
        super().__init__(pieces)
        self.left_out, self.left_out_area = left_out, left_out_area
