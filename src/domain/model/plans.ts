import { type Failure, forbidden, quotaFull, tooLarge } from "./failure.ts";
import { FREE_PLAN_FILE_BYTES } from "./limits.ts";

export const PLANS = ["free", "pro"] as const;
export type Plan = (typeof PLANS)[number];

/** Bytes that a workspace may store, by plan. */
export type Quotas = Readonly<Record<Plan, number>>;

/** Returns whether a report on this plan may have more than one version. */
export const allowsRevisions = (plan: Plan) => plan !== "free";

export const revisionNotAllowed = (): Failure =>
  forbidden("The free plan allows one version per report. Delete the report first, or upgrade to the pro plan.");

export const workspaceFull = (): Failure =>
  quotaFull("The workspace's storage quota is full, so nothing was published. Delete reports to free up space.");

/** Throws `Forbidden` or `TooLarge` if the plan doesn't allow the upload. */
export function checkPlanAllows(plan: Plan, files: readonly { readonly size: number }[]): void {
  if (plan !== "free") return;
  if (files.length > 1) {
    throw forbidden(
      "The free plan allows a single index.html without other files. Embed the files in index.html, or upgrade to the pro plan.",
    );
  }
  if (files.some((file) => file.size > FREE_PLAN_FILE_BYTES)) {
    throw tooLarge("index.html exceeds the free plan's limit of 1 MB. Make it smaller, or upgrade to the pro plan.");
  }
}
