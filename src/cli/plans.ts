import { Command } from "commander";
import type { Administer, Plan } from "./administration.ts";
import type { Output } from "./output.ts";
import { planOption } from "./users.ts";

export function plansCommand(administer: Administer, output: Output): Command {
  const plans = new Command("plans").description("Manage the plans of workspaces.");
  plans
    .command("set")
    .description("Put a workspace on a plan.")
    .requiredOption("--workspace <slug>", "slug of the workspace")
    .addOption(planOption().makeOptionMandatory())
    .action(async ({ workspace, plan }: { workspace: string; plan: Plan }) => {
      await administer((administration) => administration.setPlan(workspace, plan));
      output.note(`${workspace} is now on the ${plan} plan.`);
    });
  return plans;
}
