import { z } from "zod";
import { vitrine } from "../../demo.ts";
import type { Scene } from "../server.ts";

const GUEST_PASSWORD = "correct horse battery";
const NAME = "ada-churn-model";

const created = z.object({ url: z.url() });

/** Creates guest links, and shares and deletes reports. */
export async function fillSharing({ environment, paths }: Scene): Promise<void> {
  const run = (...args: string[]) => vitrine(args, environment);
  const link = async (guard: string, ...limits: string[]) => {
    const { url } = created.parse(JSON.parse(await run("link", "create", NAME, "--json", ...limits)));
    paths.set(`guest ${guard}`, new URL(url).pathname);
  };
  await link("none", "--label", "Newsletter");
  await link("password", "--label", "Board meeting", "--password", GUEST_PASSWORD, "--expires", "30d");
  await link("comments", "--label", "Customer", "--comments");
  await link("email", "--label", "Auditors", "--email", "grace@example.org");
  await run("share", NAME, "--person", "grace@example.org");
  await run("delete", "ada-survey-2026", "--yes");
  await run("delete", "ada-latency", "--yes");
}
