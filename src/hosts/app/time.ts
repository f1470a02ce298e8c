import type { Instant } from "../../domain/model.ts";

export const toIso = (instant: Instant): string => new Date(instant).toISOString();
