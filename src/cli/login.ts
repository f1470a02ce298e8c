import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { openInBrowser } from "./browser.ts";
import type { CliContext } from "./cli-context.ts";
import { checkProfile, DEFAULT_PROFILE, readProfiles, writeProfiles } from "./credentials.ts";
import { explainFailure, type ServerAddress } from "./failures.ts";
import { filled, PROFILE_HELP, withExamples } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { checkAddress, DEFAULT_URL, sessionWith } from "./session.ts";
import { plain } from "./text.ts";

interface LoginOptions {
  /** True to ask for it. */
  token?: string | true;
  profile?: string;
}

export function loginCommand(context: CliContext): Command {
  const command = new Command("login")
    .description("Sign this machine in to a server. You approve a code in the browser and choose what it may do.")
    .argument("[url]", "server address (default: VITRINE_URL, then the last server, then http://localhost:4000)")
    .option(
      "--token [token]",
      "sign in with this access token instead; - reads it from standard input, and no value asks for it",
    )
    .option("--profile <name>", PROFILE_HELP)
    .addHelpText("after", filled(`The access token is stored in ${context.credentialsFile}.`))
    .action((url: string | undefined, options: LoginOptions) => login(url, options, context));
  return withExamples(
    command,
    "vitrine login https://reports.example.org",
    "vitrine login https://reports.example.com --profile work",
    "vitrine login --token - < token.txt",
  );
}

async function login(url: string | undefined, options: LoginOptions, context: CliContext): Promise<void> {
  const { output, credentialsFile } = context;
  const profile = checkProfile(options.profile ?? context.profile ?? DEFAULT_PROFILE);
  const profiles = await readProfiles(credentialsFile).catch(() => new Map<string, never>());
  const stored = profiles.get(profile)?.url;
  // As in other commands, --profile takes precedence over variables.
  const usual = options.profile === undefined ? (context.url ?? stored) : (stored ?? context.url);
  const source = url === undefined ? "VITRINE_URL" : "<url>";
  const server = { url: checkAddress(url ?? usual ?? DEFAULT_URL, source), source };
  const { url: baseUrl } = server;
  const { token, isOwn } = await obtainToken(options.token, server, context);
  const session = await sessionWith(context, server, { token });
  const { accountRoute } = await loadRoutes.account();
  const { user } = await session.call(accountRoute);
  await writeProfiles(
    credentialsFile,
    new Map([...profiles, [profile, { url: baseUrl, token, ...(isOwn ? { isOwn } : {}) }]]),
  );
  const place = profile === DEFAULT_PROFILE ? "" : `, profile ${profile}`;
  output.note(`Signed in to ${baseUrl} as ${plain(user.slug)}${place}.`);
  if (context.token !== undefined) output.note("VITRINE_TOKEN is set and takes precedence over this sign-in.");
  else if (context.url !== undefined && checkAddress(context.url, "VITRINE_URL") !== baseUrl) {
    output.note(`VITRINE_URL is set to ${context.url} and takes precedence over this sign-in.`);
  }
}

/** Returns an access token, and whether it was made for this machine. */
async function obtainToken(given: string | true | undefined, server: ServerAddress, context: CliContext) {
  const page = `${server.url}/-/account/tokens`;
  if (typeof given === "string") return { token: checkToken(await readGiven(given)), isOwn: false };
  const isAttended = process.stdin.isTTY === true || (given === undefined && context.output.isTerminal);
  if (!isAttended) {
    throw new CommandError(
      `An access token is required. Create one at ${page} and pass it with --token.`,
      EXIT_CODES.usage,
    );
  }
  const approved = given === true ? undefined : await approveInBrowser(server, context);
  if (approved !== undefined) return { token: approved, isOwn: true };
  return { token: checkToken(await askForToken(page, context)), isOwn: false };
}

function checkToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError(
    "This isn't a valid access token. A token is a single word that starts with vtr_.",
    EXIT_CODES.usage,
  );
}

/** Returns what an option says or, if that is "-", standard input. */
export const readGiven = async (given: string): Promise<string> =>
  (given === "-" ? await Bun.stdin.text() : given).trim();

/** Returns the access token that a person approves in the browser; undefined if the server doesn't offer it. */
async function approveInBrowser(server: ServerAddress, context: CliContext): Promise<string | undefined> {
  const { output } = context;
  const { url: baseUrl } = server;
  const { awaitApproval, beginDeviceSignIn, SignInRefused } = await import("../client/device-sign-in.ts");
  try {
    const begun = await beginDeviceSignIn(baseUrl, hostname());
    if (begun === undefined) return undefined;
    // The server must not make this machine open anything else.
    const isItsPage = URL.canParse(begun.pageWithCode) && new URL(begun.pageWithCode).origin === baseUrl;
    const page = isItsPage ? begun.pageWithCode : undefined;
    const isOpened = page !== undefined && openInBrowser(context, page);
    output.note(isOpened ? `Opening ${page}` : `Open ${plain(page ?? begun.page)} in a browser.`);
    output.note(`Code: ${plain(begun.userCode)}`);
    output.note("Waiting for your approval. Press Ctrl-C to cancel.");
    return await awaitApproval(baseUrl, begun, wait);
  } catch (error) {
    if (error instanceof SignInRefused) throw new CommandError(`${plain(error.message)} Nothing was changed.`);
    throw explainFailure(error, server);
  }
}

async function askForToken(page: string, context: CliContext): Promise<string> {
  const isOpened = openInBrowser(context, page);
  context.output.note(isOpened ? `Opening ${page}` : `Create an access token at ${page}`);
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: "Access token" });
  if (isCancel(answer)) throw new CommandError("Cancelled. Nothing was changed.");
  return (answer ?? "").trim();
}
