/** Identifies a report: by its name, or by its code if it has none. */
export type ItemReference = { name: string } | { code: string };

/** No name is ever a valid code, so one text identifies either. */
export const referenceText = (item: { name?: string | null | undefined; code: string }): string =>
  item.name ?? item.code;

const CODE = /^(?=[0-9a-z]*[A-Z])[0-9A-Za-z]{16}$/;

export const referenceOf = (text: string): ItemReference => (CODE.test(text) ? { code: text } : { name: text });
