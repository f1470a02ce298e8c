import type { AnsweredRequest, ObserveRequest } from "../requests.ts";
import type { Family } from "./exposition.ts";
import { createHistogram, type Histogram } from "./histogram.ts";

const STATUSES = 600;
const METHODS = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/** The requests with one method to one route. */
export interface RouteMeter {
  readonly host: AnsweredRequest["host"];
  readonly route: string;
  readonly method: string;
  /** How often each status was answered. */
  readonly statuses: Float64Array;
  readonly durations: Histogram;
  /** Answers from memory whose duration was not measured; the next measurement counts for them too. */
  untimed: number;
}

/** Counts requests by route, method and status. */
export function createRequestMeter() {
  const meters = new Map<string, RouteMeter>();

  /** Returns the meter of a route. Methods that no route has share one, because clients can make up any number. */
  function meterOf(host: RouteMeter["host"], route: string, requested: string): RouteMeter {
    const method = METHODS.has(requested) ? requested : "other";
    const key = `${host} ${method} ${route}`;
    const known = meters.get(key);
    if (known !== undefined) return known;
    const meter = {
      host,
      route,
      method,
      statuses: new Float64Array(STATUSES),
      durations: createHistogram(),
      untimed: 0,
    };
    meters.set(key, meter);
    return meter;
  }

  const observe: ObserveRequest = ({ host, route, method, status, duration }) => {
    const meter = meterOf(host, route, method);
    countStatus(meter, status);
    meter.durations.observe(duration / 1000);
  };

  function* statuses() {
    for (const { host, route, method, statuses: counts } of meters.values()) {
      for (const [status, value] of counts.entries()) {
        if (value > 0) yield { labels: { host, route, method, status: String(status) }, value };
      }
    }
  }

  function* durations() {
    for (const meter of meters.values()) {
      settleUntimed(meter, 0);
      const { host, route, method, durations: histogram } = meter;
      yield { labels: { host, route, method }, histogram };
    }
  }

  const families: readonly Family[] = [
    {
      name: "vitrine_http_requests",
      help: "Answered requests, by host, template of the path, method and status.",
      type: "counter",
      collect: statuses,
    },
    {
      name: "vitrine_http_request_duration_seconds",
      help: "Time until an answer was ready, without the time to send it. Of answers from memory, every 64th is measured.",
      type: "histogram",
      unit: "seconds",
      collect: durations,
    },
  ];
  return { meterOf, observe, families };
}

export type RequestMeter = ReturnType<typeof createRequestMeter>;

/** Counts a status. */
export function countStatus({ statuses }: RouteMeter, status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

/** Counts the duration, in milliseconds, of a measured answer, and assumes it for those that weren't measured. */
export function settleUntimed(meter: RouteMeter, duration: number, measured = 0): void {
  const times = meter.untimed + measured;
  meter.untimed = 0;
  if (times > 0) meter.durations.observe(duration / 1000, times);
}
