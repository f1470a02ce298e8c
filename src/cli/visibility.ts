import { Argument, Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { begin, report, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findCode, isOfOneVersion, parseReference, wordOf } from "./references.ts";
import type { Surroundings } from "./surroundings.ts";

export function visibilityCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("visibility")
      .description("Make a group with all its versions public or private, or by its code one version alone.")
      .argument("<name or code>", "a name, name@3 for its third version alone, or a code")
      .addArgument(new Argument("<visibility>", "who may read it").choices(["public", "private"])),
  );
  command.action((text: string, visibility: "public" | "private", options: ServerOptions) =>
    setVisibility(text, visibility, options, surroundings),
  );
  return withExamples(command, "vitrine visibility weekly-sales public", "vitrine visibility weekly-sales@2 private");
}

async function setVisibility(
  text: string,
  visibility: "public" | "private",
  options: ServerOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { session, output } = await begin(surroundings, options);
  const reference = isOfOneVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  const { setVisibilityRoute } = await loadRoutes.visibility();
  const body = { ...reference, visibility };
  const answer = await session.call(setVisibilityRoute, { body }, { isRepeatable: true });
  report(output, options, answer, `${wordOf(reference)} is ${answer.visibility}.`);
}
