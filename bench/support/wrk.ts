import { z } from "zod";
import { findTool, run } from "./tools.ts";

const SCRIPT = new URL("./load.lua", import.meta.url).pathname;

const loadSchema = z.object({
  requests: z.number(),
  seconds: z.number(),
  errors: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});
export type Load = z.infer<typeof loadSchema>;

interface LoadOptions {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** A file with the paths to request once each, or with the body to post. */
  input?: { kind: "paths" | "body"; file: string };
}

/** Loads a server from one thread of wrk. Throws if a request fails. */
export async function runWrk({ url, connections, seconds, headers = {}, input }: LoadOptions): Promise<Load> {
  const output = await run([
    findTool("wrk"),
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--timeout=30s",
    ...["-s", SCRIPT],
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    url,
    ...(input === undefined ? [] : ["--", input.kind, input.file]),
  ]);
  const line = output.split("\n").findLast((candidate) => candidate.startsWith("{"));
  const load = loadSchema.parse(JSON.parse(line ?? ""));
  if (load.errors > 0 || load.requests === 0) throw new Error(`wrk counted errors:\n${output}`);
  return load;
}
