import { describe, expect, test } from "bun:test";
import type { Visibility } from "../../../src/domain/model/entities.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { createVersionCache } from "../../../src/hosts/content/version-cache.ts";

const CODE = "0123456789abcdeF";

function createScene() {
  const state = { now: 1_000_000, mark: 1 as number | undefined, isHearing: true, visibility: "public" as Visibility };
  const answers: (() => void)[] = [];
  let isSlow = false;
  const answer = async <Value>(value: Value): Promise<Value> => {
    if (isSlow) await new Promise<void>((resolve) => answers.push(resolve));
    return value;
  };
  const events = createLocalEvents();
  const cache = createVersionCache({
    store: {
      findServed: () => answer({ visibility: state.visibility, files: [], standIns: [] }),
      findVisibility: () => answer(state.visibility),
      changeMark: () => (state.isHearing ? state.mark : undefined),
    },
    events: { ...events, isHearing: () => state.isHearing },
    clock: { now: () => state.now },
  });
  return {
    state,
    events,
    cache,
    /** Holds the store's responses until they are released. */
    hold: () => {
      isSlow = true;
    },
    answers,
  };
}

describe("cached versions", () => {
  test("are used until a change is announced", async () => {
    const { cache } = createScene();
    await cache.load(CODE);
    expect(cache.peek(CODE)?.visibility).toBe("public");
  });

  test("are not used while changes may be missed", async () => {
    const { cache, state } = createScene();
    await cache.load(CODE);
    expect(cache.peek(CODE)).toBeDefined();
    state.isHearing = false;
    expect(cache.peek(CODE)).toBeUndefined();
    await cache.load(CODE);
    expect(cache.peek(CODE)).toBeUndefined();
    state.isHearing = true;
    expect(cache.peek(CODE)).toBeUndefined();
    await cache.load(CODE);
    expect(cache.peek(CODE)).toBeDefined();
  });

  test.each([["missed"], ["versionsChanged"]] as const)("are reloaded after %s", async (kind) => {
    const { cache, events } = createScene();
    await cache.load(CODE);
    events.publish(kind === "missed" ? { kind } : { kind, codes: [CODE] });
    expect(cache.peek(CODE)).toBeUndefined();
  });

  test("changes by another process are noticed even if the clock was set back", async () => {
    const { cache, state } = createScene();
    await cache.load(CODE);
    expect(cache.peek(CODE)).toBeDefined();
    state.now -= 60_000;
    state.mark = 2;
    expect(cache.peek(CODE)).toBeUndefined();
  });

  test("a response requested before a change doesn't replace one requested after it", async () => {
    const { cache, state, events, hold, answers } = createScene();
    await cache.load(CODE);
    hold();
    events.publish({ kind: "missed" });
    const early = cache.load(CODE);
    state.visibility = "private";
    events.publish({ kind: "missed" });
    const late = cache.load(CODE);
    const [answerEarly, answerLate] = answers;
    answerLate?.();
    expect((await late)?.visibility).toBe("private");
    answerEarly?.();
    await early;
    expect(cache.peek(CODE)?.visibility).toBe("private");
    expect((await late)?.visibility).toBe("private");
  });

  test("fit into memory, whatever the number of their files", async () => {
    const files = Array.from({ length: 100 }, (_, number) => ({
      path: `file-${number}-${"x".repeat(200)}.css`,
      offset: 0,
      size: 1,
      digest: "d",
    }));
    const cache = createVersionCache({
      store: {
        findServed: async () => ({ visibility: "public", files, standIns: [] }),
        findVisibility: async () => "public",
        changeMark: () => 1,
      },
      events: createLocalEvents(),
      clock: { now: () => 1_000_000 },
    });
    const codes = Array.from({ length: 1_000 }, (_, number) => `${CODE}${number}`);
    for (const code of codes) await cache.load(code);
    const remembered = codes.filter((code) => cache.recall(code) !== undefined).length;
    expect(remembered).toBeWithin(500, 900);
    expect(cache.recall(codes.at(-1) ?? "")).toBeDefined();
  });
});
