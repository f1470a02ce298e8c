/** As the API limits it. */
export const LABEL_CHARACTERS = 120;

const DAY = 24 * 60 * 60_000;
const NEVER = "never";

export const EXPIRY_CHOICES = [
  { value: "1", label: "In 1 day" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
  { value: NEVER, label: "Never" },
];

/** Returns the time of a choice; undefined for never. */
export const expiryOf = (choice: string): string | undefined =>
  choice === NEVER ? undefined : new Date(Date.now() + Number(choice) * DAY).toISOString();

/** Returns what stands on lines or between commas, such as several addresses. */
export const partsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== "");
