import type { Instant } from "./entities.ts";

export interface Clock {
  now(): Instant;
}
/** Tells operators about failures that no caller hears of. */
export interface OperatorLog {
  warn(event: { message: string; error: unknown }): void;
}

export interface Random {
  bytes(length: number): Uint8Array;
}
