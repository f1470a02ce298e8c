/** Returns the key of the object with the compressed files of a version. */
export const compressedKey = (code: string) => `${code}.z`;
/** Returns the keys of all objects that a version may have. */
export const objectKeys = (code: string) => [code, compressedKey(code)];
/** Returns the code of the version that an object, or its half-written file, belongs to. */
export const codeOfKey = (key: string): string => key.split(".")[0] ?? "";
/** Indicates that an object is missing, or that its content isn't what was stored under its key. */
export class DamagedObject extends Error {
  override readonly name = "DamagedObject";
  readonly key: string;

  constructor(key: string) {
    super(`The object ${key} is missing or damaged.`);
    this.key = key;
  }
}
