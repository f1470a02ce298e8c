import { Command, Option } from "commander";
import type { Administer, Plan } from "./administration.ts";
import { withDataHelp } from "./options.ts";
import type { Output } from "./output.ts";
import { planOption } from "./users.ts";

export function orgsCommand(administer: Administer, output: Output): Command {
  const orgs = new Command("orgs").description("Manage organizations and their members.");
  const create = orgs
    .command("create")
    .description("Create an organization and its workspace.")
    .requiredOption("--slug <slug>", "name in links, such as acme")
    .requiredOption("--name <name>", "display name")
    .requiredOption("--owner <user>", "slug of the user who becomes its owner")
    .addOption(planOption())
    .action(async ({ slug, name, owner, plan }: { slug: string; name: string; owner: string; plan?: Plan }) => {
      await administer((administration) => administration.createOrganization({ slug, name, ownerSlug: owner, plan }));
      output.note(`Created organization ${slug}.`);
    });
  const addMember = orgs
    .command("add-member")
    .description("Add a user to an organization.")
    .requiredOption("--org <slug>", "slug of the organization")
    .requiredOption("--user <user>", "slug of the user")
    .addOption(new Option("--role <role>", "role in the organization").choices(["member", "admin"]).default("member"))
    .action(async ({ org, user, role }: { org: string; user: string; role: "member" | "admin" }) => {
      await administer((administration) => administration.addMember({ organizationSlug: org, userSlug: user, role }));
      output.note(`Added ${user} to ${org} as ${role}.`);
    });
  withDataHelp(create, "vitrine orgs create --slug acme --name Acme --owner ada");
  withDataHelp(addMember, "vitrine orgs add-member --org acme --user bob --role admin");
  return orgs;
}
