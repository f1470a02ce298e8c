/** What a group or a standalone report is called: its name, or else its code. */
export type ItemReference = { name: string } | { code: string };

/** No name is ever a code, so one text says which. */
export const referenceText = (item: { name?: string | null | undefined; code: string }): string =>
  item.name ?? item.code;

const CODE = /^(?=[0-9a-z]*[A-Z])[0-9A-Za-z]{16}$/;

export const referenceOf = (text: string): ItemReference => (CODE.test(text) ? { code: text } : { name: text });
