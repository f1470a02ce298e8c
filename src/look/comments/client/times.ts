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

const MINUTE = 60_000;

/** Keeps the relative times in an element up to date until the signal aborts. */
export function keepTimesCurrent(root: HTMLElement, signal: AbortSignal): void {
  const timer = setInterval(() => refreshTimes(root), MINUTE);
  signal.addEventListener("abort", () => clearInterval(timer));
}

function refreshTimes(root: HTMLElement): void {
  for (const time of root.querySelectorAll("time")) {
    time.textContent = describeTime(Date.parse(time.dateTime), Date.now());
  }
}
