import type { Instant } from "./entities.ts";

export interface Clock {
  now(): Instant;
}
export interface Random {
  bytes(length: number): Uint8Array;
}
