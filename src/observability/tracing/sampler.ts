import type { Sampler } from "./trace-context.ts";

type Base = "always_on" | "always_off" | "traceidratio";

const PARENT_BASED = "parentbased_";

/** Returns a sampler of OpenTelemetry. The ratio is the share of traces to record. */
export function createSampler(name: Base | `parentbased_${Base}`, ratio: number): Sampler {
  const own = ownSampler(name.replace(PARENT_BASED, ""), ratio);
  return name.startsWith(PARENT_BASED) ? (traceId, parent) => parent?.isSampled ?? own(traceId) : own;
}

function ownSampler(name: string, ratio: number): (traceId: string) => boolean {
  if (name === "always_on") return () => true;
  if (name === "always_off") return () => false;
  // The first digits decide, so that all servers record the same traces.
  return (traceId) => Number.parseInt(traceId.slice(0, 8), 16) < ratio * 2 ** 32;
}
