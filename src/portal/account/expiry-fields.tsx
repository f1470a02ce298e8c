import { Group, NativeSelect, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { describeNumber } from "../shared/amounts.ts";

const DAY = 24 * 60 * 60_000;
const LONGEST = 3650;
const CUSTOM = "custom";
const NEVER = "never";

const CHOICES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: CUSTOM, label: "Another number of days" },
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
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= LONGEST)) return null;
  return `Give a whole number from 1 to ${describeNumber(LONGEST)}.`;
}

/** The expiry date in words. */
function describeEnd(values: ExpiryValues): string {
  const days = expiryDays(values);
  if (days === null) return "It works until you revoke it.";
  if (expiryError(values) !== null) return "";
  const end = new Intl.DateTimeFormat(undefined, { dateStyle: "long" }).format(Date.now() + days * DAY);
  return `It works until ${end}.`;
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
