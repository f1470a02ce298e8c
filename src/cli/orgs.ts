import { Command, Option } from "commander";
import type { Administer, Plan } from "./administration.ts";
import { onServerData } from "./options.ts";
import type { Output } from "./output.ts";
import { planOption } from "./users.ts";

export function orgsCommand(administer: Administer, output: Output): Command {
  const orgs = new Command("orgs").description("Manage organizations and their members.");
  const create = orgs
    .command("create")
    .description("Make an organization with a workspace of its own.")
    .requiredOption("--slug <slug>", "name of the organization in links")
    .requiredOption("--name <name>", "name as people read it")
    .requiredOption("--owner <user>", "slug of the user who owns it")
    .addOption(planOption())
    .action(async ({ slug, name, owner, plan }: { slug: string; name: string; owner: string; plan?: Plan }) => {
      await administer((administration) => administration.createOrganization({ slug, name, ownerSlug: owner, plan }));
      output.note(`Created the organization ${slug}.`);
    });
  const addMember = orgs
    .command("add-member")
    .description("Let a user into an organization.")
    .requiredOption("--org <slug>", "slug of the organization")
    .requiredOption("--user <user>", "slug of the user")
    .addOption(new Option("--role <role>", "what they may do").choices(["member", "admin"]).default("member"))
    .action(async ({ org, user, role }: { org: string; user: string; role: "member" | "admin" }) => {
      await administer((administration) => administration.addMember({ organizationSlug: org, userSlug: user, role }));
      output.note(`${user} is now ${role} of ${org}.`);
    });
  onServerData(create, "vitrine orgs create --slug acme --name Acme --owner ada");
  onServerData(addMember, "vitrine orgs add-member --org acme --user bob --role admin");
  return orgs;
}
