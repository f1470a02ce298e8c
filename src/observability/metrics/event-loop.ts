import type { Family } from "./exposition.ts";
import { createHistogram } from "./histogram.ts";

/** Milliseconds between two looks. */
const INTERVAL = 50;
const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Measures how late the event loop runs a timer, which is how long other work held it. */
export function watchEventLoop() {
  const delays = createHistogram(BOUNDS);
  let expected = performance.now() + INTERVAL;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - expected) / 1000);
    expected = now + INTERVAL;
  }, INTERVAL);
  timer.unref();
  const families: readonly Family[] = [
    {
      name: "vitrine_event_loop_delay_seconds",
      help: "How late the event loop ran a timer, looked at 20 times a second.",
      type: "histogram",
      unit: "seconds",
      collect: () => [{ histogram: delays }],
    },
  ];
  return { families, stop: () => clearInterval(timer) };
}
