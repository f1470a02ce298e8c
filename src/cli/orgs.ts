import { Command, Option } from "commander";
import {
  confirm,
  describeContents,
  JSON_OPTION,
  planOption,
  printJson,
  sizeCell,
  timeCell,
  YES_OPTION,
} from "./administering.ts";
import type { Administer, Plan, Role } from "./administration.ts";
import { withDataHelp } from "./options.ts";
import type { Output } from "./output.ts";
import { printTable } from "./table.ts";
import { counted } from "./text.ts";

export function orgsCommand(administer: Administer, output: Output): Command {
  return new Command("orgs")
    .description("Manage organizations and their members.")
    .addCommand(createCommand(administer, output))
    .addCommand(listCommand(administer, output))
    .addCommand(showCommand(administer, output))
    .addCommand(addMemberCommand(administer, output))
    .addCommand(setRoleCommand(administer, output))
    .addCommand(removeMemberCommand(administer, output))
    .addCommand(deleteCommand(administer, output));
}

function createCommand(administer: Administer, output: Output): Command {
  const command = new Command("create")
    .description("Create an organization and its workspace.")
    .requiredOption("--slug <slug>", "name in links, such as acme")
    .requiredOption("--name <name>", "display name")
    .requiredOption("--owner <user>", "slug of the user who becomes its owner")
    .addOption(planOption())
    .action(async ({ slug, name, owner, plan }: { slug: string; name: string; owner: string; plan?: Plan }) => {
      await administer((administration) => administration.createOrganization({ slug, name, ownerSlug: owner, plan }));
      output.note(`Created organization ${slug}.`);
    });
  return withDataHelp(command, "vitrine orgs create --slug acme --name Acme --owner ada");
}

function listCommand(administer: Administer, output: Output): Command {
  const command = new Command("list")
    .description("List organizations, sorted by slug.")
    .option("--contains <text>", "only organizations whose slug or name contains this text")
    .option(...JSON_OPTION)
    .action(async ({ contains, json }: { contains?: string; json?: boolean }) => {
      const organizations = await administer((administration) => administration.listOrganizations({ contains }));
      if (json) return printJson(output, { organizations });
      if (organizations.length === 0) return output.note("No organizations found.");
      printTable(
        output,
        ["ORGANIZATION", "NAME", "MEMBERS", "PLAN", "STORED", "CREATED"],
        organizations.map(({ slug, name, members, plan, storedBytes, createdAt }) => [
          slug,
          name ?? "-",
          String(members),
          plan,
          sizeCell(output, storedBytes),
          timeCell(output, createdAt),
        ]),
      );
    });
  return withDataHelp(command, "vitrine orgs list", "vitrine orgs list --json");
}

function showCommand(administer: Administer, output: Output): Command {
  const command = new Command("show")
    .description("List the members of an organization.")
    .argument("<org>", "slug of the organization")
    .option(...JSON_OPTION)
    .action(async (slug: string, { json }: { json?: boolean }) => {
      const shown = await administer((administration) => administration.showOrganization(slug));
      if (json) return printJson(output, { ...shown.organization, members: shown.members });
      printTable(
        output,
        ["MEMBER", "EMAIL", "NAME", "ROLE", "SINCE"],
        shown.members.map(({ slug: member, email, name, role, since }) => [
          member,
          email,
          name ?? "-",
          role,
          timeCell(output, since),
        ]),
      );
    });
  return withDataHelp(command, "vitrine orgs show acme", "vitrine orgs show acme --json");
}

const withMember = (command: Command): Command =>
  command
    .requiredOption("--org <slug>", "slug of the organization")
    .requiredOption("--user <user>", "slug of the user");

function addMemberCommand(administer: Administer, output: Output): Command {
  const command = withMember(new Command("add-member").description("Add a user to an organization."))
    .addOption(
      new Option("--role <role>", "role in the organization").choices(["member", "admin", "owner"]).default("member"),
    )
    .action(async ({ org, user, role }: { org: string; user: string; role: Role }) => {
      await administer((administration) => administration.addMember({ organization: org, user, role }));
      output.note(`Added ${user} to ${org} as ${role}.`);
    });
  return withDataHelp(command, "vitrine orgs add-member --org acme --user bob --role admin");
}

function setRoleCommand(administer: Administer, output: Output): Command {
  const command = withMember(new Command("set-role").description("Change the role of a member."))
    .addOption(new Option("--role <role>", "new role").choices(["member", "admin", "owner"]).makeOptionMandatory())
    .action(async ({ org, user, role }: { org: string; user: string; role: Role }) => {
      await administer((administration) => administration.setMember({ organization: org, user, role }));
      output.note(`${user} now has the role ${role} in ${org}.`);
    });
  return withDataHelp(command, "vitrine orgs set-role --org acme --user bob --role owner");
}

function removeMemberCommand(administer: Administer, output: Output): Command {
  const command = withMember(
    new Command("remove-member").description(
      "Remove a user from an organization. What they published stays in the organization.",
    ),
  ).action(async ({ org, user }: { org: string; user: string }) => {
    await administer((administration) => administration.setMember({ organization: org, user, role: null }));
    output.note(`Removed ${user} from ${org}.`);
  });
  return withDataHelp(command, "vitrine orgs remove-member --org acme --user bob");
}

function deleteCommand(administer: Administer, output: Output): Command {
  const command = new Command("delete")
    .description("Permanently delete an organization with all its reports. Its members keep their accounts.")
    .argument("<org>", "slug of the organization")
    .option(...YES_OPTION)
    .action((slug: string, options: { yes?: boolean }) => deleteOrganization(slug, options, administer, output));
  return withDataHelp(command, "vitrine orgs delete acme", "vitrine orgs delete acme --yes");
}

/** Deletes an organization after a confirmation. */
export async function deleteOrganization(
  slug: string,
  options: { yes?: boolean },
  administer: Administer,
  output: Output,
): Promise<void> {
  const { organization, contents } = await administer(async (administration) => ({
    ...(await administration.showOrganization(slug)),
    ...(await administration.showWorkspace(slug)),
  }));
  await confirm(`delete organization ${organization.slug} with ${describeContents(contents)}`, options);
  const { reports } = await administer((administration) => administration.deleteOrganization(slug));
  output.note(`Deleted organization ${slug} with ${counted(reports, "report")}.`);
}
