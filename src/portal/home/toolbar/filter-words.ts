import type { AGES, ItemFilter } from "../../api/filter.ts";

export const VISIBILITY_LABELS: Readonly<Record<NonNullable<ItemFilter["visibility"]>, string>> = {
  public: "Public",
  org: "Organization",
  private: "Private",
};

export const AGE_LABELS: Readonly<Record<keyof typeof AGES, string>> = {
  "1d": "past day",
  "7d": "past week",
  "30d": "past month",
  "365d": "past year",
};
