/** Returns a server-rendered element. Throws if it is missing or of another type. */
export function part<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no ${kind.name} "${id}".`);
  return element;
}

/** Returns the reader's bar. */
export const findBar = (): HTMLElement => part("reader-bar", HTMLElement);

/** Returns the versions that the reader may see; undefined if they can't be loaded. `address` is relative to the page's. */
export async function loadVersions<Versions>(address: string): Promise<Versions | undefined> {
  const response = await fetch(address, { cache: "no-cache", signal: AbortSignal.timeout(10_000) });
  return response.ok ? response.json() : undefined;
}
