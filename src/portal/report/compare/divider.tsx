import { type PointerEvent, useRef } from "react";
import classes from "./compare.module.css";

interface DividerProps {
  /** Percent of the width. */
  value: number;
  onChange(value: number): void;
  /** The frames must not take the pointer meanwhile. */
  onDrag(isDragging: boolean): void;
}

/** The line between two overlaid versions, moved by pointer or arrow keys. */
export function Divider({ value, onChange, onDrag }: DividerProps) {
  const line = useRef<HTMLDivElement>(null);
  const follow = ({ clientX }: PointerEvent) => {
    const area = line.current?.parentElement?.getBoundingClientRect();
    if (area === undefined || area.width === 0) return;
    onChange(Math.min(100, Math.max(0, ((clientX - area.left) / area.width) * 100)));
  };
  return (
    <div
      ref={line}
      className={classes.divider}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        onDrag(true);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
      }}
      onLostPointerCapture={() => onDrag(false)}
    >
      <input
        type="range"
        className={classes.range}
        min={0}
        max={100}
        step={1}
        aria-label="Divider between the versions"
        value={Math.round(value)}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <span className={classes.handle} aria-hidden />
    </div>
  );
}
