// css-tree brings no types, and those of @types/css-tree leave out the parts that load without its grammar.
declare module "css-tree/tokenizer" {
  export const tokenTypes: Readonly<
    Record<"Function" | "AtKeyword" | "String" | "Url" | "WhiteSpace" | "Comment", number>
  >;
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
}

declare module "css-tree/utils" {
  export const string: {
    decode(source: string): string;
    encode(text: string, apostrophe?: boolean): string;
  };
  export const url: {
    decode(source: string): string;
    encode(text: string): string;
  };
}
