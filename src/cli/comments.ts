import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { ThreadEntry } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { parseReference, REPORT_HELP, type Reference, referenceTo, VERSION_HELP } from "./references.ts";
import type { Session } from "./session.ts";
import { shortTime } from "./text.ts";
import { fetchThreads } from "./threads.ts";

/** In examples. */
const THREAD = "thr_Q3ZzD1mB0kXa7TgH";
const COMMENT = "com_Q3ZzD1mB0kXa7TgH";

interface ListOptions extends ServerOptions {
  all?: boolean;
  since?: string;
  follow?: boolean;
}

export function commentsCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("comments")
      .description("List comments on a report, and answer them.")
      .argument("[report]", REPORT_HELP)
      .option("--all", "also resolved threads, and those that a version addresses")
      .option("--since <cursor>", "only threads that changed after an earlier --json output, by its changes_cursor")
      .option("--follow", "print threads as they change, until interrupted"),
  );
  command.action(async (text: string | undefined, options: ListOptions) => {
    if (text === undefined) {
      throw new CommandError("Name a report, such as: vitrine comments weekly-sales", EXIT_CODES.usage);
    }
    const { session, output } = await connect(context, options);
    await list(session, output, parseReference(text), options);
  });
  for (const subcommand of subcommands(context)) command.addCommand(subcommand);
  return withExamples(
    command,
    "vitrine comments weekly-sales",
    "vitrine comments weekly-sales --all --json",
    'vitrine comments add weekly-sales "Are these figures final?"',
    `vitrine comments reply ${THREAD} "Yes."`,
  );
}

async function list(session: Session, output: Output, reference: Reference, options: ListOptions): Promise<void> {
  const state = options.all ? "all" : "unaddressed";
  const { threads, changesCursor } = await fetchThreads(session, reference, { state, since: options.since });
  if (options.json && !options.follow) {
    return output.out(JSON.stringify({ threads, changes_cursor: changesCursor }));
  }
  print(output, threads, options);
  if (!options.follow) {
    if (threads.length === 0) output.note(options.all ? "No comments." : "No open comments. Use --all to see others.");
    return;
  }
  await follow(session, output, { reference, since: changesCursor, options });
}

async function follow(
  session: Session,
  output: Output,
  { reference, since, options }: { reference: Reference; since: string; options: ListOptions },
): Promise<never> {
  const { waitForCommentsRoute } = await loadRoutes.comments();
  for (let next = since; ; ) {
    const changes = await session.call(waitForCommentsRoute, { query: { ...reference, since: next, seconds: 50 } });
    print(output, changes.threads, options);
    next = changes.changes_cursor;
  }
}

function print(output: Output, threads: readonly ThreadEntry[], { json }: ListOptions): void {
  for (const thread of threads) output.out(json ? JSON.stringify(thread) : describe(output, thread));
}

/** Returns a thread as text: a line about it, its quote, and its comments. */
function describe(output: Output, thread: ThreadEntry): string {
  const time = (instant: string) => (output.isOutTerminal ? shortTime(instant) : instant);
  const addressed = thread.addressed_in === null ? "" : `, addressed in version ${thread.addressed_in}`;
  const head = `${thread.id}  ${thread.state}, version ${thread.version_no}${addressed}`;
  const about = aboutOf(thread);
  const comments = thread.comments.map(({ author, text, created_at, deleted }) => {
    const name = author.slug ?? (author.name === null ? "deleted account" : `${author.name} (guest)`);
    return `  ${name}, ${time(created_at)}: ${deleted ? "(deleted)" : text.replaceAll("\n", "\n    ")}`;
  });
  return [head, ...(about === undefined ? [] : [`  > ${about}`]), ...comments, ""].join("\n");
}

function aboutOf({ anchor }: ThreadEntry): string | undefined {
  if (anchor.kind === "text") return anchor.quote.replaceAll(/\s+/g, " ");
  return anchor.kind === "element" ? anchor.label : undefined;
}

function subcommands(context: CliContext): Command[] {
  const add = withServerOptions(
    new Command("add")
      .description("Start a thread on a report.")
      .argument("<report>", VERSION_HELP)
      .argument("<text>", "the comment: plain text with a little Markdown")
      .option("--version-only", "a comment on this version, not shown with later ones"),
  );
  add.action(async (report: string, text: string, options: ServerOptions & { versionOnly?: boolean }) => {
    const { session, output } = await connect(context, options);
    const { createThreadRoute } = await loadRoutes.comments();
    const reference = await referenceTo(session, report);
    const body = { ...reference, text, only_version: options.versionOnly ?? false };
    const thread = await session.call(createThreadRoute, { body });
    output.out(options.json ? JSON.stringify(thread) : thread.id);
  });

  return [
    withExamples(add, 'vitrine comments add weekly-sales "Are these figures final?"'),
    withExamples(
      withText("reply", "Reply to a thread.", "<thread>", async (session, id, text) => {
        const { replyRoute } = await loadRoutes.comments();
        return session.call(replyRoute, { body: { id, text } });
      }),
      `vitrine comments reply ${THREAD} "Yes."`,
    ),
    withExamples(
      withText("edit", "Replace the text of one of your comments.", "<comment>", async (session, id, text) => {
        const { editCommentRoute } = await loadRoutes.comments();
        return session.call(editCommentRoute, { body: { id, text } });
      }),
      `vitrine comments edit ${COMMENT} "Yes, they are."`,
    ),
    withExamples(
      byId("resolve", "Resolve a thread.", "<thread>", async (session, id) => {
        const { resolveThreadRoute } = await loadRoutes.comments();
        return session.call(resolveThreadRoute, { body: { id } });
      }),
      `vitrine comments resolve ${THREAD}`,
    ),
    withExamples(
      byId("reopen", "Reopen a resolved thread.", "<thread>", async (session, id) => {
        const { reopenThreadRoute } = await loadRoutes.comments();
        return session.call(reopenThreadRoute, { body: { id } });
      }),
      `vitrine comments reopen ${THREAD}`,
    ),
    withExamples(
      byId("delete", "Delete a comment.", "<comment>", async (session, id) => {
        const { deleteCommentRoute } = await loadRoutes.comments();
        return session.call(deleteCommentRoute, { body: { id } });
      }),
      `vitrine comments delete ${COMMENT}`,
    ),
  ];

  type Change = (session: Session, id: string, text: string) => Promise<unknown>;

  function withText(name: string, description: string, argument: string, change: Change): Command {
    const command = withServerOptions(
      new Command(name)
        .description(description)
        .argument(argument, "its ID, from vitrine comments --json")
        .argument("<text>", "the comment: plain text with a little Markdown"),
    );
    return command.action(async (id: string, text: string, options: ServerOptions) => {
      const { session, output } = await connect(context, options);
      const changed = await change(session, id, text);
      if (options.json) output.out(JSON.stringify(changed));
    });
  }

  function byId(
    name: string,
    description: string,
    argument: string,
    change: (session: Session, id: string) => Promise<unknown>,
  ): Command {
    const command = withServerOptions(
      new Command(name).description(description).argument(argument, "its ID, from vitrine comments --json"),
    );
    return command.action(async (id: string, options: ServerOptions) => {
      const { session, output } = await connect(context, options);
      const changed = await change(session, id);
      if (options.json) output.out(JSON.stringify(changed));
    });
  }
}
