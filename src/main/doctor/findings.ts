import type { Finding } from "../../cli/doctor.ts";

export const ok = (part: string, detail: string): Finding => ({ state: "ok", part, detail });
export const warning = (part: string, detail: string, advice: string): Finding => ({
  state: "warning",
  part,
  detail,
  advice,
});
export const problem = (part: string, detail: string, advice: string): Finding => ({
  state: "problem",
  part,
  detail,
  advice,
});

/** Returns an error's message as one line, or the first one if a connection failed on several addresses. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0]?.trim() || "no reason given";
}

/** Returns a size such as `1.4 GB`. */
export const inUnits = (bytes: number): string =>
  bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`;
