import { CODE_PATTERN } from "../../client/definitions.ts";

/** Identifies a report: by its name, or by its code if it has none. */
export type ItemReference = { name: string } | { code: string };

/** No name is ever a valid code, so one text identifies either. */
export const referenceText = (item: { name?: string | null | undefined; code: string }): string =>
  item.name ?? item.code;

export const isCode = (text: string): boolean => CODE_PATTERN.test(text);

export const referenceOf = (text: string): ItemReference => (isCode(text) ? { code: text } : { name: text });
