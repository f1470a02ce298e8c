import { z } from "zod";
import { READY_PATH } from "../hosts/http/ready.ts";
import { SettingError } from "../settings/setting-error.ts";
import { readSettings } from "../settings/settings.ts";

/** Milliseconds to wait for an answer. Container engines end the command after a few seconds. */
const PATIENCE = 4_000;

/** Addresses that a server binds but that a client can't ask, and the ones to ask instead. */
const WILDCARDS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

const answerSchema = z.object({
  error: z.string().optional(),
  parts: z.array(z.object({ name: z.string(), state: z.string(), detail: z.string().optional() })).default([]),
});

/** Returns why the server with these settings isn't ready, or undefined if it is. */
export async function findProblem(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { hosts, port } = readSettings(environment);
  if (port === 0) throw new SettingError("VITRINE_PORT is 0, so the server's port isn't known. Set a port.");
  const [host = ""] = hosts;
  const address = WILDCARDS[host] ?? host;
  const url = `http://${address.includes(":") ? `[${address}]` : address}:${port}${READY_PATH}?verbose`;
  let response: Response;
  try {
    response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    return `The server doesn't answer at ${url}.`;
  }
  if (response.ok) return undefined;
  const { error, parts } = answerSchema.catch({ parts: [] }).parse(await response.json().catch(() => undefined));
  const failed = parts
    .filter(({ state }) => state === "failed")
    .map(({ name, detail }) => `${name}: ${detail ?? "failed"}`);
  return [error ?? `${url} answered ${response.status}.`, ...failed].join(" ");
}
