import type { Blobs } from "../../../src/domain/model/blobs.ts";
import type { Caller } from "../../../src/domain/model/entities.ts";
import type { Events } from "../../../src/domain/model/events.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import type { Log } from "../../../src/observability/log.ts";
import type { Store } from "../../../src/store/store.ts";
import type { random } from "../../support/service.ts";
import type { Actor, OrderModel } from "./order-model.ts";

const TITLES = ["A", "B", "a", "A/B", "B/C", "Ä"];

export interface World {
  store: Store;
  blobs: Blobs;
  events: Events;
  log: Log;
  random: typeof random;
  /** Stands still within a step. */
  clock: { now(): number };
  model: OrderModel;
  owner: string;
  callers: Record<Actor, Caller>;
  /** All names that a group of this world may have. */
  names: readonly string[];
}

/** Picks what a step is about, by the numbers that were drawn for it. */
export interface Choice {
  actor: Actor;
  one<Thing>(things: readonly Thing[]): Thing | undefined;
  some<Thing>(things: readonly Thing[]): Thing[];
  /** True once in so many times. */
  rarely(times: number): boolean;
}

export const kindOf = (error: unknown) => (error instanceof Failure ? error.kind : error);
/** What came of a call: `done`, or the kind of its failure. */
export const outcomeOf = (call: Promise<unknown>) => call.then(() => "done", kindOf);
export const title = (choice: Choice) => choice.one(TITLES) ?? "";

/** An id that is there, or now and then one that was; undefined for neither. */
export function idOf(choice: Choice, living: readonly { id: string }[], gone: readonly string[]): string | undefined {
  return choice.rarely(8) ? choice.one(gone) : choice.one(living)?.id;
}

/** The same, or null for none. */
export function idOrNone(choice: Choice, living: readonly { id: string }[], gone: readonly string[]): string | null {
  return choice.rarely(3) ? null : (idOf(choice, living, gone) ?? null);
}

export type Step = (world: World, choice: Choice) => Promise<void>;
