import { Command, Option } from "commander";
import type { Administer, Plan } from "./administration.ts";
import { onServerData } from "./options.ts";
import type { Output } from "./output.ts";

export function plansCommand(administer: Administer, output: Output): Command {
  const plans = new Command("plans").description("Manage the plans of workspaces.");
  const set = plans
    .command("set")
    .description("Put a workspace on a plan.")
    .requiredOption("--workspace <slug>", "slug of the workspace")
    .addOption(new Option("--plan <plan>", "its new plan").choices(["free", "pro"]).makeOptionMandatory())
    .action(async ({ workspace, plan }: { workspace: string; plan: Plan }) => {
      await administer((administration) => administration.setPlan(workspace, plan));
      output.note(`${workspace} is now on the ${plan} plan.`);
    });
  onServerData(set, "vitrine plans set --workspace acme --plan free");
  return plans;
}
