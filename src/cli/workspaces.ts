import { Command, Option } from "commander";
import { confirm, describeContents, JSON_OPTION, printJson, sizeCell, YES_OPTION } from "./administering.ts";
import type { Administer } from "./administration.ts";
import { filled, withDataHelp } from "./options.ts";
import { deleteOrganization } from "./orgs.ts";
import { CommandError, type Output } from "./output.ts";
import { printTable } from "./table.ts";
import { counted } from "./text.ts";

export function workspacesCommand(administer: Administer, output: Output): Command {
  return new Command("workspaces")
    .description("Manage the workspaces of people and organizations.")
    .addCommand(listCommand(administer, output))
    .addCommand(transferCommand(administer, output))
    .addCommand(deleteCommand(administer, output));
}

function listCommand(administer: Administer, output: Output): Command {
  const command = new Command("list")
    .description("List workspaces, with the storage that each uses.")
    .addOption(new Option("--by <order>", "sort order").choices(["storage", "slug"]).default("storage"))
    .option(...JSON_OPTION)
    .action(async ({ by, json }: { by: "storage" | "slug"; json?: boolean }) => {
      const workspaces = await administer((administration) => administration.listWorkspaces({ by }));
      if (json) return printJson(output, { workspaces });
      if (workspaces.length === 0) return output.note("No workspaces found.");
      printTable(
        output,
        ["WORKSPACE", "KIND", "PLAN", "STORED", "QUOTA", "USED"],
        workspaces.map(({ slug, kind, plan, storedBytes, quota }) => [
          slug,
          kind === "org" ? "organization" : "user",
          plan,
          sizeCell(output, storedBytes),
          sizeCell(output, quota),
          quota === 0 ? "-" : `${Math.floor((storedBytes / quota) * 100)}%`,
        ]),
      );
    });
  return withDataHelp(command, "vitrine workspaces list --by storage", "vitrine workspaces list --json");
}

const TRANSFER_HELP = `
The reports keep their names, versions, visibility, folders and tags. Version links
stay the same. Live links change, because they contain the workspace. Private
reports can then be read by the new owner, or by the owners and admins of the new
organization.`;

function transferCommand(administer: Administer, output: Output): Command {
  const command = new Command("transfer")
    .description("Move all reports of a workspace to another workspace.")
    .argument("<from>", "slug of the workspace that has the reports")
    .argument("<to>", "slug of the workspace that gets them")
    .option(...YES_OPTION)
    .addHelpText("after", filled(TRANSFER_HELP))
    .action(async (from: string, to: string, options: { yes?: boolean }) => {
      const { contents } = await administer(async (administration) => {
        await administration.showWorkspace(to);
        return administration.showWorkspace(from);
      });
      await confirm(`move ${describeContents(contents)} from ${from} to ${to}`, options);
      const { reports } = await administer((administration) => administration.transferReports(from, to));
      output.note(`Moved ${counted(reports, "report")} from ${from} to ${to}.`);
    });
  return withDataHelp(command, "vitrine workspaces transfer ada acme", "vitrine workspaces transfer ada acme --yes");
}

function deleteCommand(administer: Administer, output: Output): Command {
  const command = new Command("delete")
    .description("Permanently delete an organization's workspace, like vitrine orgs delete.")
    .argument("<workspace>", "slug of the organization")
    .option(...YES_OPTION)
    .action(async (slug: string, options: { yes?: boolean }) => {
      const { workspace } = await administer((administration) => administration.showWorkspace(slug));
      if (workspace.kind === "user") {
        throw new CommandError(`${slug} is a person's workspace. To delete it, run: vitrine users delete ${slug}`);
      }
      await deleteOrganization(slug, options, administer, output);
    });
  return withDataHelp(command, "vitrine workspaces delete acme");
}
