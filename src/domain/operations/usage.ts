import type { Plan, Quotas } from "../model/plans.ts";

/** How the workspaces of one plan use their storage. */
export interface PlanUsage {
  plan: Plan;
  workspaces: number;
  storedBytes: number;
  /** Bytes in the trash, which count toward no quota. */
  trashBytes: number;
  /** Workspaces that store at least as much as asked. */
  nearlyFull: number;
}

export interface UsageQuestion {
  /** Bytes from which a workspace is nearly full. */
  fullFrom: Quotas;
}

export interface UsageStore {
  /** Returns the usage of each plan that has workspaces. */
  measureUsage(question: UsageQuestion): Promise<PlanUsage[]>;
}
