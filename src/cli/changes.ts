import { Command } from "commander";
import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import { describeChange } from "../html/changes/markdown.ts";
import type { CliContext } from "./cli-context.ts";
import { type Connection, connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { findCode, findPreviousCode, VERSION_HELP } from "./references.ts";
import { colored, plain } from "./text.ts";

interface ChangesOptions extends ServerOptions {
  file?: string;
  markdown?: boolean;
  exitCode?: boolean;
}

type Changes = ResponseOf<Awaited<ReturnType<typeof loadRoutes.changes>>["changesRoute"]>;

export function changesCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("changes")
      .description(
        "List what a reader would see as changed between two versions: numbers, rows, texts, images and charts.",
      )
      .argument("<a>", VERSION_HELP)
      .argument("[b]", "what to compare it with, in the same form (default: compare a with the version before it)")
      .option("--file <name>", "page to compare (default: index.html)")
      .option("--markdown", "print the changes as Markdown, for a comment on a pull request")
      .option("--exit-code", "exit with 1 if there are changes"),
  );
  command.action((a: string, b: string | undefined, options: ChangesOptions) => listChanges(a, b, options, context));
  return withExamples(
    command,
    "vitrine changes weekly-sales",
    "vitrine changes weekly-sales@2 weekly-sales",
    "vitrine changes weekly-sales --markdown > comment.md",
    "vitrine changes weekly-sales --exit-code --quiet || echo changed",
  );
}

async function listChanges(
  a: string,
  b: string | undefined,
  options: ChangesOptions,
  context: CliContext,
): Promise<void> {
  const connection = await connect(context, options);
  const { session } = connection;
  const { oldCode, newCode } =
    b === undefined
      ? await findPreviousCode(session, a)
      : { oldCode: await findCode(session, a), newCode: await findCode(session, b) };
  const { changesRoute } = await loadRoutes.changes();
  const { file, markdown } = options;
  const query = {
    ...{ code: newCode, from: oldCode },
    ...(file === undefined ? {} : { path: file }),
    ...(markdown ? { format: "markdown" as const } : {}),
  };
  const changes = await session.call(changesRoute, { query });
  print(changes, options, connection);
  if (options.exitCode && changes.total > 0) throw new CommandError("", EXIT_CODES.failed);
}

function print(changes: Changes, { json, markdown, quiet, exitCode }: ChangesOptions, { output }: Connection): void {
  if (json) output.out(JSON.stringify(changes));
  else if (markdown) output.out((changes.markdown ?? "").trimEnd());
  else if (quiet && exitCode) return;
  else printList(changes, output);
}

function printList({ changes, summary, total, drawn_by_scripts: isDrawn }: Changes, output: Output): void {
  let heading = "";
  for (const change of changes) {
    const under = change.headings.join(" › ");
    if (under !== heading && under !== "") output.out(colored(output, "bold", plain(under)));
    heading = under;
    output.out(`${under === "" ? "" : "  "}${plain(describeChange(change))}`);
  }
  if (total > changes.length) output.note(`Showing ${changes.length} of ${total} changes.`);
  output.note(`${summary}${total === 0 && isDrawn ? " in the file" : ""}.`);
  if (isDrawn)
    output.note("Scripts draw parts of this page, so there may be more changes. Open the report to see them.");
}
