import { fileURLToPath } from "node:url";
import { z } from "zod";
import { findBuilt } from "../hosts/app/portal/bundle.ts";
import { embeddedPlace, markUsed, type PortalPlace } from "../hosts/app/portal/places.ts";

const BUILDER = new URL("../../scripts/portal.ts", import.meta.url);
/** Milliseconds between marks that a build is in use; builds are deleted days after the last mark. */
const USE_INTERVAL = 6 * 60 * 60_000;

const placeSchema = z.object({ manifest: z.string(), assets: z.string() });

/** Returns where the portal is, and builds it first if the sources have changed. Runs before the server listens. */
export async function preparePortal(): Promise<PortalPlace> {
  return embeddedPlace() ?? (await findBuilt()) ?? (await buildApart());
}

/** Builds in a separate process, whose memory is freed when it ends. */
async function buildApart(): Promise<PortalPlace> {
  const builder = Bun.spawn(
    [process.execPath, "--no-env-file", "--no-install", "--config=/dev/null", fileURLToPath(BUILDER)],
    { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  );
  const printed = await builder.stdout.text();
  if ((await builder.exited) !== 0) throw new Error("The portal build failed.");
  return placeSchema.parse(JSON.parse(printed));
}

/** Keeps a running server's build from being pruned by later builds. */
export function keepPortalUsed(place: PortalPlace): { stop(): void } {
  void markUsed(place);
  const timer = setInterval(() => void markUsed(place), USE_INTERVAL);
  return { stop: () => clearInterval(timer) };
}
