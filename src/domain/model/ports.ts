import type { Instant } from "./entities.ts";

export interface Clock {
  now(): Instant;
}
/** Logs failures that no caller sees. */
export interface OperatorLog {
  warn(event: { message: string; error?: unknown }): void;
}

export interface Random {
  bytes(length: number): Uint8Array;
}
