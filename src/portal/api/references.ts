import { CODE_PATTERN } from "../../client/definitions.ts";

/** What a group or a standalone report is called: its name, or else its code. */
export type ItemReference = { name: string } | { code: string };

/** No name is ever a code, so one text says which. */
export const referenceText = (item: { name?: string | null | undefined; code: string }): string =>
  item.name ?? item.code;

export const referenceOf = (text: string): ItemReference => (CODE_PATTERN.test(text) ? { code: text } : { name: text });
