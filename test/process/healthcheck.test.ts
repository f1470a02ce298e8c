import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vitrine } from "../support/cli.ts";
import { findFreePort } from "../support/ports.ts";
import { until } from "../support/until.ts";
import { startProgram } from "./program.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "vitrine-health-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe("vitrine healthcheck", () => {
  test.each(["0.0.0.0", "::1"])("tells whether a server on %s is ready", async (host) => {
    const port = await findFreePort();
    const environment = { VITRINE_HOST: host, VITRINE_PORT: String(port), VITRINE_STOP_DELAY: "60" };
    const check = () => vitrine(["healthcheck"], { environment });
    const address = host === "::1" ? "[::1]" : "127.0.0.1";
    const silent = `vitrine: The server doesn't answer at http://${address}:${port}/-/ready?verbose.\n`;
    expect(await check()).toEqual({ code: 1, stdout: "", stderr: silent });
    await using program = await startProgram({ dataDir, environment });
    expect(await check()).toEqual({ code: 0, stdout: "", stderr: "" });
    program.process.kill("SIGTERM");
    await until(async () => (await fetch(`http://${address}:${port}/-/ready`)).status === 503);
    const stopping = "vitrine: The server isn't ready. server: The server is stopping.\n";
    expect(await check()).toEqual({ code: 1, stdout: "", stderr: stopping });
  });

  test("refuses settings that don't say where the server is", async () => {
    const { code, stderr } = await vitrine(["healthcheck"], { environment: { VITRINE_PORT: "0" } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "vitrine: VITRINE_PORT is 0, so the server's port isn't known. Set a port.\n",
    });
  });

  test("doesn't wait for a program that answers something else", async () => {
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("No.", { status: 404 }) });
    const environment = { VITRINE_HOST: "127.0.0.1", VITRINE_PORT: String(other.port) };
    const { code, stderr } = await vitrine(["healthcheck"], { environment });
    expect(code).toBe(1);
    expect(stderr).toBe(`vitrine: http://127.0.0.1:${other.port}/-/ready?verbose answered 404.\n`);
  });
});
