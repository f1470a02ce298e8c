import { describeExactTime, describeTime } from "../../time.ts";
import { create } from "./elements.ts";

/** Creates a relative time with the exact one on hover. */
export function createTime(at: string): HTMLTimeElement {
  const instant = Date.parse(at);
  const time = create("time", "", describeTime(instant, Date.now()));
  time.dateTime = at;
  time.title = describeExactTime(instant);
  return time;
}

/** Brings the relative times in an element up to date. */
export function refreshTimes(root: HTMLElement): void {
  for (const time of root.querySelectorAll("time")) {
    time.textContent = describeTime(Date.parse(time.dateTime), Date.now());
  }
}
