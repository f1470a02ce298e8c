import { describe, expect, test } from "bun:test";
import type { Visibility } from "../../../src/domain/model/entities.ts";
import type { StorageMode } from "../../../src/domain/model/storage-mode.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { createVersionCache } from "../../../src/hosts/content/version-cache.ts";

const CODE = "0123456789abcdeF";
const PAGE = { path: "index.html", offset: 0, size: 3, digest: "digest" };

function createScene() {
  const state = {
    now: 1_000_000,
    mark: 1 as number | undefined,
    isHearing: true,
    visibility: "public" as Visibility,
    storage: "none" as StorageMode,
  };
  const answers: (() => void)[] = [];
  let isSlow = false;
  const answer = async <Value>(value: Value): Promise<Value> => {
    if (isSlow) await new Promise<void>((resolve) => answers.push(resolve));
    return value;
  };
  const events = createLocalEvents();
  const cache = createVersionCache({
    store: {
      findServed: () =>
        answer({
          ...{ visibility: state.visibility, storage: state.storage, workspaceId: "wsp_1" },
          ...{ files: [PAGE], standIns: [] },
        }),
      findServedState: () => answer({ visibility: state.visibility, storage: state.storage }),
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

  test.each([["missed"], ["mark"]] as const)(
    "have their storage, even if its change was only noticed by %s",
    async (how) => {
      const { cache, state, events } = createScene();
      await cache.load(CODE);
      state.storage = "memory";
      if (how === "missed") events.publish({ kind: "missed" });
      else state.mark = 2;
      state.now += 1_000;
      expect(cache.peek(CODE)).toBeUndefined();
      expect(await cache.load(CODE)).toMatchObject({ storage: "memory" });
      for (const version of [cache.peek(CODE), cache.recall(CODE)]) {
        expect(version?.storage).toBe("memory");
        expect(version?.files.get("index.html")?.hasStandIn).toBe(true);
      }
    },
  );

  test("are not remembered with the storage they had before a change", async () => {
    const { cache, events, hold, answers } = createScene();
    hold();
    const early = cache.load(CODE);
    events.publish({ kind: "versionsChanged", codes: [CODE] });
    for (const answer of answers) answer();
    expect((await early)?.storage).toBe("none");
    expect(cache.recall(CODE)).toBeUndefined();
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
        findServed: async () => ({ visibility: "public", storage: "none", workspaceId: "wsp_1", files, standIns: [] }),
        findServedState: async () => ({ visibility: "public", storage: "none" }),
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
