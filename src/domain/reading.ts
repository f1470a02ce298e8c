import { authorizeReadVersion } from "./access.ts";
import { notFound } from "./failure.ts";
import type { Caller } from "./model.ts";
import { CODE_PATTERN } from "./names.ts";
import type { Store } from "./ports.ts";

/** Reading a report back with a token. */
export function createReading({ store }: { store: Pick<Store, "items"> }) {
  /** Throws `NotFound` unless the code is a report of the caller's own that they may read. */
  async function authorize(caller: Caller, code: string): Promise<void> {
    const found = CODE_PATTERN.test(code) ? await store.items.findVersion(code) : undefined;
    if (authorizeReadVersion(caller, found) === undefined) throw notFound("There is no such report.");
  }

  return { authorize };
}

export type Reading = ReturnType<typeof createReading>;
