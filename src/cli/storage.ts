import { Argument, Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { referenceTo } from "./references.ts";

type Storage = "none" | "memory";

export function storageCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("storage")
      .description("Give a report's pages a temporary localStorage, or take it away. Nothing is uploaded again.")
      .argument(
        "<report>",
        "name of a report, also for its later versions, name@3 for its version 3 only, the code of a version, or a link",
      )
      .addArgument(new Argument("<storage>", "storage of its pages in a browser").choices(["none", "memory"])),
  );
  command.action((text: string, storage: Storage, options: ServerOptions) =>
    setStorage(text, storage, options, context),
  );
  return withExamples(command, "vitrine storage weekly-sales memory", "vitrine storage weekly-sales@2 none");
}

async function setStorage(text: string, storage: Storage, options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const reference = await referenceTo(session, text);
  const { setStorageRoute } = await loadRoutes.reportSettings();
  const answer = await session.call(setStorageRoute, { body: { ...reference, storage } }, { isRepeatable: true });
  const kind = answer.storage === "memory" ? "storage in memory" : "no storage";
  printResult(output, options, answer, `${text} now has ${kind}.`);
}
