import type { Caller } from "../model/entities.ts";
import type { Visibilities } from "../reports/visibility.ts";

/** A named report with all its versions, or one version. */
export interface SharedSubject {
  name?: string | undefined;
  code?: string | undefined;
}

/** Creates the service that shares reports with organizations. */
export function createOrganizationSharing({ reports }: { reports: { visibilities: Visibilities } }) {
  /** Shares a report, or makes it private again. Returns its new visibility. Throws `NotFound` or `Forbidden`. */
  async function share(caller: Caller, { name, code }: SharedSubject, isShared: boolean): Promise<"org" | "private"> {
    const visibility = isShared ? "org" : "private";
    if (name !== undefined) await reports.visibilities.setForReport(caller, name, visibility);
    else if (code !== undefined) await reports.visibilities.setForVersion(caller, code, visibility);
    return visibility;
  }

  return { share };
}

export type OrganizationSharing = ReturnType<typeof createOrganizationSharing>;
