import type { Instant } from "../model/entities.ts";

/** What a guest link that opens now admits to. */
export interface GuestAdmission {
  expiresAt: Instant | null;
  /** The origins whose pages may frame the report; null for none. */
  embedOrigins: readonly string[] | null;
}

/** Looks up guest links, by which tickets are checked. */
export interface AdmissionFinder {
  /** Returns what a link admits to if it opens now and the version belongs to what it opens. */
  findGuestAdmission(code: string, id: string, now: Instant): Promise<GuestAdmission | undefined>;
}
