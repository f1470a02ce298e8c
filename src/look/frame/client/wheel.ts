/** A distance in CSS pixels. */
export interface Distance {
  left: number;
  top: number;
}

/** Pixels of a line, for wheels that count lines. */
const LINE = 16;

/** Returns how far a turn of the wheel scrolls. */
export function distanceOf({ deltaX, deltaY, deltaMode }: WheelEvent): Distance {
  const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
  return { left: deltaX * unit, top: deltaY * unit };
}
