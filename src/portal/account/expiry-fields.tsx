import { Group, NativeSelect, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { describeNumber } from "../shared/amounts.ts";

const DAY = 24 * 60 * 60_000;
const MAX_DAYS = 3650;
const CUSTOM = "custom";
const NEVER = "never";

const CHOICES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: CUSTOM, label: "Custom" },
  { value: NEVER, label: "Never" },
];

export type ExpiryValues = {
  /** A number of days, `custom` or `never`. */
  expiry: string;
  /** Used with `custom`. */
  days: string;
};

/** Null means never. */
export const expiryDays = ({ expiry, days }: ExpiryValues): number | null =>
  expiry === NEVER ? null : Number(expiry === CUSTOM ? days : expiry);

export function expiryError(values: ExpiryValues): string | null {
  const days = expiryDays(values);
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)) return null;
  return `Enter a whole number from 1 to ${describeNumber(MAX_DAYS)}.`;
}

/** The expiry date in words. */
function describeEnd(values: ExpiryValues): string {
  const days = expiryDays(values);
  if (days === null) return "It won't expire. You can revoke it at any time.";
  if (expiryError(values) !== null) return "";
  const end = new Intl.DateTimeFormat(undefined, { dateStyle: "long" }).format(Date.now() + days * DAY);
  return `It expires on ${end}.`;
}

/** Fields that choose when something expires. */
export function ExpiryFields<Values extends ExpiryValues>({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
      <NativeSelect
        label="Expires in"
        description={describeEnd(form.values)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={CHOICES}
        {...form.getInputProps("expiry")}
      />
      {form.values.expiry === CUSTOM && (
        <TextInput label="Days" inputMode="numeric" autoComplete="off" {...form.getInputProps("days")} />
      )}
    </Group>
  );
}
