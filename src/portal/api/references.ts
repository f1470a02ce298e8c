import { CODE_PATTERN } from "../../client/definitions.ts";

/** Identifies a report: by its name, or by its code if it has none. */
export type ItemReference = { name: string } | { code: string };

/** No name is ever a valid code, so one text identifies either. */
export const referenceText = (item: { name?: string | null | undefined; code: string }): string =>
  item.name ?? item.code;

export const referenceOf = (text: string): ItemReference => (CODE_PATTERN.test(text) ? { code: text } : { name: text });
