import { fileURLToPath } from "node:url";
import { z } from "zod";
import { findBuilt } from "../hosts/app/portal/bundle.ts";
import { embeddedPlace, markUsed, type PortalPlace } from "../hosts/app/portal/places.ts";

const BUILDER = new URL("../../scripts/portal.ts", import.meta.url);
/** Milliseconds between marks that a build is in use. Builds are deleted days after the last mark. */
const USE_INTERVAL = 6 * 60 * 60_000;

const placeSchema = z.object({ manifest: z.string(), assets: z.string() });

/** Returns the location of the portal. Builds it first if its sources have changed. */
export async function preparePortal(): Promise<PortalPlace> {
  return embeddedPlace() ?? (await findBuilt()) ?? (await buildApart());
}

/** Builds in a separate process, which frees its memory at the end. */
async function buildApart(): Promise<PortalPlace> {
  const builder = Bun.spawn(
    [process.execPath, "--no-env-file", "--no-install", "--config=/dev/null", fileURLToPath(BUILDER)],
    { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  );
  const printed = await builder.stdout.text();
  if ((await builder.exited) !== 0) throw new Error("The portal build failed.");
  return placeSchema.parse(JSON.parse(printed));
}

/** Keeps later builds from deleting the build of a running server. */
export function keepPortalUsed(place: PortalPlace): { stop(): void } {
  void markUsed(place);
  const timer = setInterval(() => void markUsed(place), USE_INTERVAL);
  return { stop: () => clearInterval(timer) };
}
