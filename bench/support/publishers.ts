import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import type { Vitrine } from "./vitrine.ts";
import { type Load, runWrk } from "./wrk.ts";

/** Publishes the same upload repeatedly from many clients in parallel. */
export function publishConcurrently(
  { site, baseUrl }: Vitrine,
  body: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Load> {
  const file = join(site.dataDir, "body.json");
  writeFileSync(file, body);
  return runWrk({
    url: baseUrl + uploadRoute.path,
    connections: clients,
    seconds,
    headers: { Authorization: `Bearer ${site.token}`, "Content-Type": "application/json" },
    input: { kind: "body", file },
  });
}
