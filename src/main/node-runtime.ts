import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { Glob } from "./node-glob.ts";

/** Provides what the command line uses of Bun, where Node runs it. Node lacks some newer standard functions too. */
export function provideRuntime(): void {
  if (process.versions.bun !== undefined) return;
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major < 20) {
    process.stderr.write(`vitrine: Node 20 or newer is required. This is Node ${process.versions.node}.\n`);
    process.exit(2);
  }
  Object.assign(globalThis, {
    Bun: {
      sleep: pause,
      stdin: { bytes: readInput, text: readText },
      which,
      spawn: start,
      stringWidth,
      Glob,
      SHA256,
      CryptoHasher,
    },
  });
  globalThis.fetch = streaming(globalThis.fetch);
  provide(Array, "fromAsync", fromAsync);
  provide(Promise, "withResolvers", withResolvers);
  provide(Response.prototype, "bytes", async function (this: Response) {
    return new Uint8Array(await this.arrayBuffer());
  });
}

/** Node sends a stream only if the request says that the response comes after it. */
const streaming = (send: typeof fetch): typeof fetch =>
  Object.assign(
    (input: Parameters<typeof fetch>[0], init?: RequestInit) => send(input, { duplex: "half", ...init }),
    send,
  );

function provide(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}

async function fromAsync<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function withResolvers<Value>() {
  const settle: { resolve(value: Value): void; reject(reason: unknown): void } = { resolve() {}, reject() {} };
  const promise = new Promise<Value>((accept, refuse) => Object.assign(settle, { resolve: accept, reject: refuse }));
  return { promise, ...settle };
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return new Uint8Array(Buffer.concat(chunks));
}

const readText = async (): Promise<string> => new TextDecoder().decode(await readInput());

function which(program: string): string | null {
  const paths = (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, program));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const start = ([program = "", ...args]: readonly string[]) =>
  spawn(program, args, { stdio: "ignore", detached: true }).on("error", () => undefined);

const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const INVISIBLE = /^[\p{Control}\p{Mark}\p{Format}]+$/u;

/** Returns the number of columns of a text on a terminal. */
function stringWidth(text: string): number {
  const segments = new Intl.Segmenter().segment(stripVTControlCharacters(text));
  return Array.from(segments, ({ segment }) => widthOf(segment)).reduce((sum, width) => sum + width, 0);
}

function widthOf(character: string): number {
  if (INVISIBLE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

class CryptoHasher {
  readonly #hash;

  constructor(algorithm: string) {
    this.#hash = createHash(algorithm);
  }

  update(data: string | Uint8Array): this {
    this.#hash.update(data);
    return this;
  }

  digest(encoding: "hex" | "base64"): string {
    return this.#hash.digest(encoding);
  }
}

class SHA256 extends CryptoHasher {
  constructor() {
    super("sha256");
  }
}
