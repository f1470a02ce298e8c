import { Failure } from "../../domain/model/failure.ts";
import type { Family } from "./exposition.ts";
import { createHistogram, type Histogram } from "./histogram.ts";

/** A finished call of the database or of the store of published files. */
export interface FinishedCall {
  /** Such as "publishing.publish". */
  name: string;
  kind: string;
  /** Milliseconds. */
  duration: number;
  /** Undefined if it succeeded. */
  error?: unknown;
}

export type ObserveCall = (call: FinishedCall) => void;

/** Returns whether an error is the fault of the system that was called. Others, such as a taken name, are answers. */
const isFault = (error: unknown) =>
  error !== undefined && !(error instanceof Failure && error.kind !== "Unavailable" && error.kind !== "StorageFull");

interface CallMeterOptions {
  /** The beginning of the metrics' names, such as "vitrine_database". */
  prefix: string;
  /** What is called, for the descriptions. */
  subject: string;
  /** The label that distinguishes the histograms. */
  label: string;
}

/** Counts calls, their durations by kind and their faults. */
export function createCallMeter({ prefix, subject, label }: CallMeterOptions) {
  const kinds = new Map<string, { durations: Histogram; faults: number }>();
  const names = new Map<string, { calls: number; seconds: number }>();

  function kindOf(kind: string) {
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const added = { durations: createHistogram(), faults: 0 };
    kinds.set(kind, added);
    return added;
  }

  function nameOf(name: string) {
    const known = names.get(name);
    if (known !== undefined) return known;
    const added = { calls: 0, seconds: 0 };
    names.set(name, added);
    return added;
  }

  const observe: ObserveCall = ({ name, kind, duration, error }) => {
    const ofKind = kindOf(kind);
    ofKind.durations.observe(duration / 1000);
    if (isFault(error)) ofKind.faults++;
    const ofName = nameOf(name);
    ofName.calls++;
    ofName.seconds += duration / 1000;
  };

  const families: readonly Family[] = [
    {
      name: `${prefix}_call_duration_seconds`,
      help: `Time that calls of ${subject} took, by ${label}.`,
      type: "histogram",
      unit: "seconds",
      collect: () =>
        Array.from(kinds, ([kind, { durations }]) => ({ labels: { [label]: kind }, histogram: durations })),
    },
    {
      name: `${prefix}_errors`,
      help: `Calls that failed because of ${subject}, by ${label}.`,
      type: "counter",
      collect: () => Array.from(kinds, ([kind, { faults }]) => ({ labels: { [label]: kind }, value: faults })),
    },
  ];
  const familiesByName: readonly Family[] = [
    {
      name: `${prefix}_calls`,
      help: `Calls of ${subject}, by name.`,
      type: "counter",
      collect: () => Array.from(names, ([call, { calls }]) => ({ labels: { call }, value: calls })),
    },
    {
      name: `${prefix}_call_seconds`,
      help: `Seconds that calls of ${subject} took in total, by name.`,
      type: "counter",
      unit: "seconds",
      collect: () => Array.from(names, ([call, { seconds }]) => ({ labels: { call }, value: seconds })),
    },
  ];
  return { observe, families, familiesByName };
}

/** Returns one observer for all given ones, or undefined without any. */
export function observeCallsWithAll(observers: readonly (ObserveCall | undefined)[]): ObserveCall | undefined {
  const given = observers.filter((observe) => observe !== undefined);
  if (given.length === 0) return undefined;
  return (call) => {
    for (const observe of given) observe(call);
  };
}

/** Runs a call and passes on how long it took and how it failed. */
export async function observed<Result>(
  observe: ObserveCall,
  { name, kind }: Pick<FinishedCall, "name" | "kind">,
  call: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  try {
    const result = await call();
    observe({ name, kind, duration: performance.now() - startedAt });
    return result;
  } catch (error) {
    observe({ name, kind, duration: performance.now() - startedAt, error });
    throw error;
  }
}
