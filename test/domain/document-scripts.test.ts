import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ScriptKind } from "../../src/domain/document/html.ts";
import { findInScript, type StorageName } from "../../src/domain/document/scripts.ts";
import { quickest } from "../support/timing.ts";

const usesStorageUnguarded = (source: string, kind: ScriptKind) =>
  findInScript(source, kind).flatMap((finding) => (finding.what === "storage" ? [finding.name] : []));

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

  test("a script of more than two million characters is left alone", () => {
    expect(usesStorageUnguarded(`localStorage;${" ".repeat(2_000_000)}`, "classic")).toEqual([]);
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
    expect(quickest(() => usesStorageUnguarded(`${source};localStorage`, "classic"))).toBeLessThan(1_000);
  });
});
