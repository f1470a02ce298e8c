import { describeExactTime, describeTime } from "../../look/time.ts";
import { useNow } from "./clock.tsx";

/** A relative time with the exact one on hover. */
export function Time({ at }: { at: string }) {
  const instant = Date.parse(at);
  const now = useNow();
  return (
    <time dateTime={at} title={describeExactTime(instant)}>
      {describeTime(instant, now)}
    </time>
  );
}
