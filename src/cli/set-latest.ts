import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { begin, report, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findVersion } from "./references.ts";
import type { Surroundings } from "./surroundings.ts";

export function setLatestCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("set-latest")
      .description("Let a group's live link show a certain version, until the next one is published.")
      .argument("<name>", "the group's name")
      .argument("<version>", "the version's number or code"),
  );
  command.action((name: string, version: string, options: ServerOptions) =>
    setLatest(name, version, options, surroundings),
  );
  return withExamples(command, "vitrine set-latest weekly-sales 3");
}

async function setLatest(name: string, version: string, options: ServerOptions, surroundings: Surroundings) {
  const { session, output } = await begin(surroundings, options);
  const code = /^\d{1,9}$/.test(version) ? await findVersion(session, name, Number(version)) : version;
  const { setLatestRoute } = await loadRoutes.groups();
  const answer = await session.call(setLatestRoute, { body: { name, code } }, { isRepeatable: true });
  report(output, options, answer, `${name} now shows ${answer.current_code}.`);
}
