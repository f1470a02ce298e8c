import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { openInBrowser } from "./browser.ts";
import { readCredentials, writeCredentials } from "./credentials.ts";
import { withExamples } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { checkAddress, sessionWith } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";
import { plain } from "./text.ts";

export function loginCommand(surroundings: Surroundings): Command {
  const command = new Command("login")
    .description("Sign this machine in to a server with an access token.")
    .argument("[url]", "address of the server (default: VITRINE_URL, the last one, http://localhost:4000)")
    .option("--token <token>", "the token; - reads it from standard input (default: asks for it)")
    .addHelpText("after", `\nThe token is kept in ${surroundings.credentialsFile}.`)
    .action((url: string | undefined, { token }: { token?: string }) => login(url, token, surroundings));
  return withExamples(command, "vitrine login https://reports.example.org", "vitrine login --token - < token.txt");
}

async function login(url: string | undefined, given: string | undefined, surroundings: Surroundings): Promise<void> {
  const { output, credentialsFile } = surroundings;
  const kept = await readCredentials(credentialsFile).catch(() => undefined);
  const wanted = url ?? surroundings.url ?? kept?.url ?? "http://localhost:4000";
  const baseUrl = checkAddress(wanted, url === undefined ? "VITRINE_URL" : "The server");
  const token = await readToken(given, `${baseUrl}/-/account/tokens`, surroundings);
  const session = await sessionWith(surroundings, baseUrl, token);
  const { accountRoute } = await loadRoutes.account();
  const { user } = await session.call(accountRoute);
  await writeCredentials(credentialsFile, { url: baseUrl, token });
  output.note(`Signed in to ${baseUrl} as ${plain(user.slug)}.`);
  if (surroundings.token !== undefined) output.note("VITRINE_TOKEN is set, and comes before it.");
  else if (surroundings.url !== undefined && checkAddress(surroundings.url, "VITRINE_URL") !== baseUrl) {
    output.note(`VITRINE_URL is set to ${surroundings.url}, and comes before it.`);
  }
}

async function readToken(given: string | undefined, page: string, surroundings: Surroundings): Promise<string> {
  const token = given === undefined ? await askForToken(page, surroundings) : await readGiven(given);
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError("That is no access token: one is a single word.", EXIT_CODES.usage);
}

const readGiven = async (given: string): Promise<string> => (given === "-" ? await Bun.stdin.text() : given).trim();

async function askForToken(page: string, surroundings: Surroundings): Promise<string> {
  if (process.stdin.isTTY !== true) {
    throw new CommandError(`Make a token at ${page} and give it with --token -.`, EXIT_CODES.usage);
  }
  const isOpened = openInBrowser(surroundings, page);
  surroundings.output.note(isOpened ? `Opening ${page}` : `Make an access token at ${page}`);
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: "Access token" });
  if (isCancel(answer)) throw new CommandError("Cancelled; nothing has changed.");
  return (answer ?? "").trim();
}
