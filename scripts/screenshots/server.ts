import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { demoSteps, vitrine } from "../demo.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const PASSWORD = "correct horse battery staple";
export const EMAIL = "ada@example.org";

type Environment = Readonly<Record<string, string | undefined>>;

/** A server to photograph, with one user. */
export interface Scene extends AsyncDisposable {
  url: string;
  /** The settings of the server, and the user's token for commands. */
  environment: Environment;
  /** Publishes the versions of the demo in order; each resolves to the live link. */
  steps: (() => Promise<string>)[];
  /** Paths that are known only once what they show exists. */
  paths: Map<string, string>;
}

/** Starts a server in a temporary directory and creates its user. */
export async function openScene(): Promise<Scene> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-screenshots-"));
  const settings = {
    ...process.env,
    VITRINE_DATA_DIR: directory,
    VITRINE_PORT: "0",
    VITRINE_CONTENT_PORT: "0",
    VITRINE_RATE_LIMIT: "0",
    VITRINE_SIGN_UP: "open",
    VITRINE_QUOTA_FREE: "1MB",
    // Lets links be limited to addresses. Nothing listens there, so mails get lost.
    VITRINE_SMTP_URL: "smtp://127.0.0.1:9",
    VITRINE_SMTP_FROM: "Vitrine <vitrine@example.org>",
  };
  const { server, url } = await startServer(settings);
  const user = ["--email", EMAIL, "--slug", "ada", "--name", "Ada Berg", "--password", PASSWORD];
  await vitrine(["users", "create", ...user], settings);
  const scopes = "reports:read,reports:write,reports:delete";
  const token = await vitrine(["tokens", "create", "--user", "ada", "--scopes", scopes], settings);
  const environment = { ...settings, VITRINE_URL: url, VITRINE_TOKEN: token };
  return {
    url,
    environment,
    steps: await demoSteps(environment),
    paths: new Map(),
    async [Symbol.asyncDispose]() {
      server.kill();
      await server.exited;
      await rm(directory, { recursive: true });
    },
  };
}

/** Signs the user in, in an open page. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/-/`);
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "All reports" }).waitFor();
}

/** Starts a server on free ports and resolves to its address, which it prints for people. */
async function startServer(environment: Environment) {
  const server = Bun.spawn([join(ROOT, "bin/vitrine"), "serve"], {
    env: environment,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const url = Promise.withResolvers<string>();
  const read = async () => {
    let output = "";
    const decoder = new TextDecoder();
    for await (const chunk of server.stderr) {
      output += decoder.decode(chunk, { stream: true });
      const [, address] = /application +(\S+)\n/.exec(output) ?? [];
      if (address !== undefined) url.resolve(address);
    }
    url.reject(new Error(`The server stopped before it listened: ${output}`));
  };
  read().catch(url.reject);
  return { server, url: await url.promise };
}
