import type { Instant } from "../../domain/model/entities.ts";

export const toIso = (instant: Instant): string => new Date(instant).toISOString();
