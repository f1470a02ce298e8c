/** Matches the key of an object: a version's code, or that of its compressed files. */
export const KEY_PATTERN = /^[0-9A-Za-z]{16}(\.z)?$/;

/** Throws for a text that isn't a key, because it could lead to another directory. */
export function checkKey(key: string): void {
  if (!KEY_PATTERN.test(key)) throw new Error(`"${key}" isn't the key of an object.`);
}

/** The key of the installation's id. It contains a hyphen, so no object ever has this key. */
export const INSTALLATION_KEY = "installation-id";

/** Returns the installation id in a stored text. Throws an error that names the location if the text is not one. */
export function checkInstallationId(text: string, place: string): string {
  const id = text.trim();
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error(`${place} is damaged: it must hold an installation id.`);
  return id;
}
