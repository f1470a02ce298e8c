import type { Caller } from "../../../src/domain/model/entities.ts";
import type { Events } from "../../../src/domain/model/events.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import type { Clearing } from "../../../src/domain/operations/clearing.ts";
import type { Store } from "../../../src/store/store.ts";
import type { random } from "../../support/service.ts";
import type { Actor, OrderModel } from "./order-model.ts";

const TITLES = ["A", "B", "a", "A/B", "B/C", "Ä"];

/** Events that no one hears. */
export const noEvents: Events = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  settled: () => undefined,
  isHearing: () => true,
};

/** Work in the background that never happens. */
export const noClearing: Pick<Clearing, "clearSoon"> = { clearSoon: () => undefined };

export interface World {
  store: Store;
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  events: Events;
  random: typeof random;
  /** Doesn't advance within a step. */
  clock: { now(): number };
  model: OrderModel;
  owner: string;
  callers: Record<Actor, Caller>;
  /** All names that a report in this world may have. */
  names: readonly string[];
}

/** Chooses the objects of a step, by the numbers drawn for it. */
export interface Choice {
  actor: Actor;
  one<Thing>(things: readonly Thing[]): Thing | undefined;
  some<Thing>(things: readonly Thing[]): Thing[];
  /** Returns true once in this many calls. */
  rarely(times: number): boolean;
}

export const kindOf = (error: unknown) => (error instanceof Failure ? error.kind : error);
/** Resolves to `done`, or to the kind of the failure. */
export const outcomeOf = (call: Promise<unknown>) => call.then(() => "done", kindOf);
export const title = (choice: Choice) => choice.one(TITLES) ?? "";

/** Returns an existing id, or sometimes a deleted one; undefined if there is neither. */
export function idOf(choice: Choice, living: readonly { id: string }[], gone: readonly string[]): string | undefined {
  return choice.rarely(8) ? choice.one(gone) : choice.one(living)?.id;
}

/** Returns an id, or null for none. */
export function idOrNone(choice: Choice, living: readonly { id: string }[], gone: readonly string[]): string | null {
  return choice.rarely(3) ? null : (idOf(choice, living, gone) ?? null);
}

export type Step = (world: World, choice: Choice) => Promise<void>;
