/** The key of an object: a version's code, or that of its compressed forms. */
export const KEY_PATTERN = /^[0-9A-Za-z]{16}(\.z)?$/;

/** Throws when it is none, since it would lead elsewhere. */
export function checkKey(key: string): void {
  if (!KEY_PATTERN.test(key)) throw new Error(`"${key}" is no key of an object.`);
}

/** Where the installation's id is kept beside the objects. The hyphen keeps it from ever being an object's key. */
export const INSTALLATION_KEY = "installation-id";

/** Returns the id in what is kept there. Throws when it is none, naming the place. */
export function checkInstallationId(text: string, place: string): string {
  const id = text.trim();
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error(`${place} is damaged: it must hold an installation id.`);
  return id;
}
