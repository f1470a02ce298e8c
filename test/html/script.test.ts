import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Budget } from "../../src/html/budget.ts";
import type { ScriptKind } from "../../src/html/document.ts";
import { TooDeep } from "../../src/html/script/parser.ts";
import { findInScript } from "../../src/html/script/search.ts";
import { findByWords } from "../../src/html/script/words.ts";
import { type PageFacts, STORAGE_NAMES, type StorageName } from "../../src/html/warnings/findings.ts";
import { quickest } from "../support/timing.ts";

const NO_FACTS = (): PageFacts => ({
  hasPlainImages: false,
  plainImageIds: new Set(),
  hasPlainStylesheets: false,
  hasFrames: false,
});

const find = (source: string, kind: ScriptKind, budget = new Budget()) =>
  findInScript(source, kind, NO_FACTS(), budget);

const isStorage = (what: string): what is StorageName => STORAGE_NAMES.some((name) => name === what);

const usesStorageUnguarded = (source: string, kind: ScriptKind): StorageName[] =>
  find(source, kind)
    .map(({ what }) => what)
    .filter(isStorage)
    .filter((name, index, all) => all.indexOf(name) === index);

describe("unguarded uses of storage", () => {
  test.each<[string, StorageName[]]>([
    ["localStorage.getItem('a')", ["localStorage"]],
    ["document.cookie = 'a'; sessionStorage.a; localStorage.b", ["document.cookie", "sessionStorage", "localStorage"]],
    [
      "window.localStorage; self['sessionStorage']; globalThis.document?.cookie",
      ["localStorage", "sessionStorage", "document.cookie"],
    ],
    ["if (typeof localStorage === 'undefined') {}", ["localStorage"]],
    ["if (window.localStorage) {}", ["localStorage"]],
    ["const read = () => localStorage.a", ["localStorage"]],
    ["a ? localStorage : b", ["localStorage"]],
    ["x = { localStorage }", ["localStorage"]],
    ["x = { [localStorage.a]: 1 }", ["localStorage"]],
    [`\`\${localStorage.a}\``, ["localStorage"]],
    ["class A { store = localStorage }", ["localStorage"]],
    ["const { a = localStorage } = b", ["localStorage"]],
    ["try { localStorage.a } finally { b() }", ["localStorage"]],
    ["try { a() } catch { localStorage.a }", ["localStorage"]],
    ["try { a() } catch {} finally { localStorage.a }", ["localStorage"]],
    ["window.indexedDB.open('a'); self.caches", ["indexedDB", "caches"]],
    ["typeof caches", ["caches"]],
    ["try { localStorage.a } catch (error) { throw error }", ["localStorage"]],
    ["try { a() } catch {} a(); function a() { localStorage.b }", ["localStorage"]],
    ["function a() { try { b() } catch { return } localStorage.c }", ["localStorage"]],
    ["function a() { try { b() } catch {} } if (a()) localStorage.c", ["localStorage"]],
    ["localStorage.a.catch(b)", ["localStorage"]],
    ["async function a() { localStorage.b } a()", ["localStorage"]],
  ])("%j", (source, names) => {
    expect(usesStorageUnguarded(source, "classic")).toEqual(names);
  });

  test.each([
    "try { localStorage.a } catch (error) { b() }",
    "try { if (a) { (() => window.localStorage)() } } catch {}",
    "try { try { localStorage.a } finally { b() } } catch {}",
    "cache.localStorage.a; this.document.cookie; x.cookie; document.x.cookie",
    "'localStorage'; // sessionStorage\n/* document.cookie */ `localStorage` + /localStorage/",
    "'localStorage' in window",
    "x = { localStorage: 1, sessionStorage() {}, get cookie() { return document } }",
    "class A { localStorage = 1; sessionStorage() {} }",
    "localStorage: for (;;) break localStorage",
    "const localStorage = {}; localStorage.a",
    "function read(localStorage) { return localStorage.a }",
    "const read = ({ sessionStorage }) => sessionStorage.a",
    "const read = function localStorage() {}",
    "var self = this; self.localStorage",
    "(function (document) { document.cookie })(x)",
    "import { localStorage } from './shim.js'; localStorage.a",
    "export { localStorage } from './shim.js'",
    "localStorage.a = ",
    "'indexedDB' in window; const db = window.indexedDB || other",
    "const caches = new Map(); caches.get(1); x.caches; x = { caches: 1 }",
    "localStorage; }",
    "try { a() } catch { b() }\nfunction a() { c() }\nfunction c() { return localStorage.d }",
    "const a = () => localStorage.b; try { a() } catch {}",
    "async function a() { localStorage.b } a().catch(c)",
    "(async () => { localStorage.a })().then(b, c)",
    "a().then(() => localStorage.b).catch(c)",
    "function a() { try { return localStorage } catch { return null } } if (a()) localStorage.b",
    "const a = (() => { try { localStorage.b = 1; return true } catch { return false } })(); a && localStorage.c",
    "function a() { try { if (!window.localStorage) return false } catch { return false } return localStorage.b }",
    "try { try { localStorage.a } finally { b() } } catch {}",
    "typeof indexedDB",
    "",
  ])("none in %j", (source) => {
    expect(usesStorageUnguarded(source, "classic")).toEqual([]);
  });

  test("what only a module may hold is read in both kinds", () => {
    const source =
      "#!/usr/bin/env node\nimport a from './a.js'; export default await a(import.meta.url); localStorage.b";
    expect(usesStorageUnguarded(source, "classic")).toEqual(["localStorage"]);
    expect(usesStorageUnguarded(source, "module")).toEqual(["localStorage"]);
  });

  test("no text throws", () => {
    const token = fc.constantFrom(
      "localStorage",
      "new Worker(",
      "import(",
      "try{",
      "}catch{",
      "}",
      "(",
      ")",
      "=>",
      ";",
      ".",
      "`",
      "${",
      "/",
      "'",
      "a",
    );
    fc.assert(fc.property(fc.array(token), (tokens) => void usesStorageUnguarded(tokens.join(""), "module")));
  });
});

describe("hostile scripts", () => {
  const times = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join("");
  const nested = (open: string, close: string, count: number) => `${open.repeat(count)}a${close.repeat(count)}`;

  test.each<[string, string]>([
    ["declarations in one scope", times(100_000, (i) => `let a${i};`)],
    ["exports", times(50_000, (i) => `export let a${i};`)],
    ["labels", times(100_000, (i) => `a${i}:`)],
    ["groups in a regular expression", `/${"(?<a>)|".repeat(100_000)}/`],
    ["blocks", nested("{", "}", 400_000)],
    ["parentheses", nested("(", ")", 400_000)],
    ["operators", "a+".repeat(400_000)],
    ["templates", "`${".repeat(300_000)],
    ["uses", "localStorage;".repeat(70_000)],
  ])("a million characters of %s do not hold up the server", (_case, source) => {
    const read = () => {
      try {
        find(`${source};localStorage`, "classic");
      } catch (error) {
        if (!(error instanceof TooDeep)) throw error;
      }
    };
    // The bound of the analysis is on its own processor time.
    expect(quickest(read)).toBeLessThan(4_000);
  });
});

describe("a script that is too long to be parsed", () => {
  const inLongScript = (source: string) =>
    findByWords(`${"x;".repeat(10)}${source}`).map(({ what, at }) => `${what} ${at - 20}`);

  test.each<[string, string[]]>([
    ["localStorage.a; window.sessionStorage[b]", ["localStorage 0", "sessionStorage 16"]],
    ["document.cookie; indexedDB.open('a'); caches.open('b')", ["document.cookie 0", "indexedDB 17", "caches 38"]],
    ["navigator.serviceWorker.register(a); new SharedWorker(b)", ["serviceWorker 0", "SharedWorker 37"]],
    ["function a(){if(b){c()}return localStorage.d}", ["localStorage 30"]],
    ["try{a()}catch(b){localStorage.c}", ["localStorage 17"]],
  ])("%j", (source, uses) => {
    expect(inLongScript(source)).toEqual(uses);
  });

  test.each([
    "try{a();function b(){return localStorage.c}}catch{}",
    "try{if(!window.localStorage)return!1}catch(a){return!1}var b=window.localStorage[c]",
    "a.localStorage.b; 'localStorage.a'; // localStorage.a",
    "typeof localStorage; mylocalStorage.a; new SharedWorkers",
  ])("none in %j", (source) => {
    expect(inLongScript(source)).toEqual([]);
  });
});
