import { Command } from "commander";
import { ApiError, type Client } from "../client/client.ts";
import { uploadRoute } from "../client/routes.ts";
import { CommandError, type Output } from "./output.ts";
import { countedStream, createProgressBar, inUnits } from "./progress.ts";
import { readReport } from "./report-files.ts";

interface PublishOptions {
  name?: string;
  title?: string;
  folder?: string;
  public?: boolean;
  url?: string;
}

/** Where the server is and how to be let in, from the environment unless a flag says otherwise. */
export type Connect = (url: string | undefined) => { client: Client; baseUrl: string };

export function publishCommand(connect: Connect, output: Output): Command {
  return new Command("publish")
    .description("Publish a report and print its link.")
    .argument("<path>", "a directory with index.html and its files, or a single HTML file")
    .option("--name <name>", "publish as the next version of this group; its live link always shows the latest")
    .option("--title <title>", "title (default: the document's own)")
    .option("--folder <label>", "where to file a new report, such as Sales/2026")
    .option("--public", "let anyone with the link read it (default: private)")
    .option("--url <address>", "address of the server (default: VITRINE_URL, or http://localhost:4000)")
    .addHelpText("after", "\nThe access token is taken from VITRINE_TOKEN; it needs the scope reports:write.")
    .action((path: string, options: PublishOptions) => publish(path, options, connect, output));
}

async function publish(path: string, options: PublishOptions, connect: Connect, output: Output): Promise<void> {
  const { client, baseUrl } = connect(options.url);
  const { files, size } = await readReport(path);
  const { name, title, folder } = options;
  const upload = { files, name, title, folder, ...(options.public ? { visibility: "public" as const } : {}) };
  const body = new TextEncoder().encode(JSON.stringify(upload));
  const report = await send(client, body, output).catch((error) => {
    throw explain(error, baseUrl);
  });
  for (const warning of report.warnings) output.note(`Warning: ${warning}`);
  if (output.isTerminal) {
    output.note(
      `Published ${files.length} ${files.length === 1 ? "file" : "files"} (${inUnits(size)}), ${report.visibility}.`,
    );
    if (report.nameUrl !== undefined) output.note(`This version: ${report.url}`);
  }
  output.out(report.nameUrl ?? report.url);
}

async function send(client: Client, body: Uint8Array<ArrayBuffer>, output: Output) {
  if (!output.isTerminal) return client.call(uploadRoute, { rawBody: body });
  const bar = createProgressBar("Uploading", body.length, (text) => process.stderr.write(text));
  try {
    return await client.call(uploadRoute, { rawBody: countedStream(body, bar.show) });
  } finally {
    bar.clear();
  }
}

function explain(error: unknown, baseUrl: string): unknown {
  if (error instanceof ApiError && error.status === 401) {
    return new CommandError(`${error.message} Set VITRINE_TOKEN; \`vitrine tokens create\` makes one.`);
  }
  if (error instanceof ApiError) return new CommandError(error.message);
  if (error instanceof Error && ("code" in error || error instanceof TypeError)) {
    return new CommandError(`The server at ${baseUrl} cannot be reached. Is it running, and is VITRINE_URL right?`);
  }
  if (error instanceof Error && (error.name === "SyntaxError" || error.name === "ZodError")) {
    return new CommandError(`What answers at ${baseUrl} is no Vitrine server. Is VITRINE_URL right?`);
  }
  return error;
}
