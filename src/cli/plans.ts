import { Command, Option } from "commander";
import type { Administer, Plan } from "./administration.ts";
import { withDataHelp } from "./options.ts";
import type { Output } from "./output.ts";

export function plansCommand(administer: Administer, output: Output): Command {
  const plans = new Command("plans").description("Manage workspace plans.");
  const set = plans
    .command("set")
    .description("Change the plan of a workspace.")
    .requiredOption("--workspace <slug>", "slug of the workspace")
    .addOption(new Option("--plan <plan>", "new plan").choices(["free", "pro"]).makeOptionMandatory())
    .action(async ({ workspace, plan }: { workspace: string; plan: Plan }) => {
      await administer((administration) => administration.setPlan(workspace, plan));
      output.note(`${workspace} is now on the ${plan} plan.`);
    });
  withDataHelp(set, "vitrine plans set --workspace acme --plan free");
  return plans;
}
