import type { Instant } from "../../domain/model/entities.ts";

/** Returns an instant in ISO 8601, as the API shows it. */
export const toIso = (instant: Instant): string => new Date(instant).toISOString();
