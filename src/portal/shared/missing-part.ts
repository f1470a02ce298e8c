/** Thrown where a part of the portal that is loaded later can't be: it was updated meanwhile, or the connection is gone. */
export class MissingPart extends Error {
  override readonly name = "MissingPart";

  constructor(cause: unknown) {
    super("Part of this page couldn't be loaded. Reload the page to continue.", { cause });
  }
}

/** Returns what an import gives; rejects with `MissingPart` when it fails. */
export function loadPart<Module>(loading: Promise<Module>): Promise<Module> {
  return loading.catch((error) => {
    throw new MissingPart(error);
  });
}
