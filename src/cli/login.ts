import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { openInBrowser } from "./browser.ts";
import type { CliContext } from "./cli-context.ts";
import { readCredentials, writeCredentials } from "./credentials.ts";
import { withExamples } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { checkAddress, sessionWith } from "./session.ts";
import { plain } from "./text.ts";

export function loginCommand(context: CliContext): Command {
  const command = new Command("login")
    .description("Sign this machine in to a server with an access token.")
    .argument("[url]", "server address (default: VITRINE_URL, then the last server, then http://localhost:4000)")
    .option("--token <token>", "access token; - reads it from standard input (default: ask for it)")
    .addHelpText("after", `\nThe token is stored in ${context.credentialsFile}.`)
    .action((url: string | undefined, { token }: { token?: string }) => login(url, token, context));
  return withExamples(command, "vitrine login https://reports.example.org", "vitrine login --token - < token.txt");
}

async function login(url: string | undefined, given: string | undefined, context: CliContext): Promise<void> {
  const { output, credentialsFile } = context;
  const stored = await readCredentials(credentialsFile).catch(() => undefined);
  const address = url ?? context.url ?? stored?.url ?? "http://localhost:4000";
  const baseUrl = checkAddress(address, url === undefined ? "VITRINE_URL" : "<url>");
  const token = await readToken(given, `${baseUrl}/-/account/tokens`, context);
  const session = await sessionWith(context, baseUrl, token);
  const { accountRoute } = await loadRoutes.account();
  const { user } = await session.call(accountRoute);
  await writeCredentials(credentialsFile, { url: baseUrl, token });
  output.note(`Signed in to ${baseUrl} as ${plain(user.slug)}.`);
  if (context.token !== undefined) output.note("VITRINE_TOKEN is set and takes precedence over this sign-in.");
  else if (context.url !== undefined && checkAddress(context.url, "VITRINE_URL") !== baseUrl) {
    output.note(`VITRINE_URL is set to ${context.url} and takes precedence over this sign-in.`);
  }
}

async function readToken(given: string | undefined, page: string, context: CliContext): Promise<string> {
  const token = given === undefined ? await askForToken(page, context) : await readGiven(given);
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError(
    "This isn't a valid access token. A token is a single word that starts with vtr_.",
    EXIT_CODES.usage,
  );
}

/** Returns what an option says or, if that is "-", standard input. */
export const readGiven = async (given: string): Promise<string> =>
  (given === "-" ? await Bun.stdin.text() : given).trim();

async function askForToken(page: string, context: CliContext): Promise<string> {
  if (process.stdin.isTTY !== true) {
    throw new CommandError(
      `An access token is required. Create one at ${page} and pass it with --token.`,
      EXIT_CODES.usage,
    );
  }
  const isOpened = openInBrowser(context, page);
  context.output.note(isOpened ? `Opening ${page}` : `Create an access token at ${page}`);
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: "Access token" });
  if (isCancel(answer)) throw new CommandError("Cancelled. Nothing was changed.");
  return (answer ?? "").trim();
}
