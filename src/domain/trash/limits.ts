import type { RetentionLimits, RetentionPlace } from "./ports.ts";

/** Returns the limits of several rules together: a version is kept if any of them keeps it. Undefined without rules. */
export function combineLimits(rules: readonly RetentionLimits[]): { keep: number; days: number } | undefined {
  if (rules.length === 0) return undefined;
  return {
    keep: Math.max(...rules.map(({ keep }) => keep ?? 0)),
    days: Math.max(...rules.map(({ days }) => days ?? 0)),
  };
}

export const isSamePlace = (one: RetentionPlace, other: RetentionPlace): boolean =>
  one.kind === other.kind && ("id" in one ? one.id : "") === ("id" in other ? other.id : "");
