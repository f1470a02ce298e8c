/** The key under which the compressed forms of a version's files are kept. */
export const compressedKey = (code: string) => `${code}.z`;
/** Every object that may exist for a version. */
export const objectKeys = (code: string) => [code, compressedKey(code)];
/** Returns the code of the version that an object, or a half-written file of one, belongs to. */
export const codeOfKey = (key: string): string => key.split(".")[0] ?? "";
/** Thrown for an object that is missing, or not what was stored under its key. */
export class DamagedObject extends Error {
  override readonly name = "DamagedObject";
  readonly key: string;

  constructor(key: string) {
    super(`The object ${key} is missing or damaged.`);
    this.key = key;
  }
}
