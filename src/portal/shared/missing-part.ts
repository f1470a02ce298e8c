/** Thrown when lazily loaded code can't be fetched, because Vitrine was updated or the connection was lost. */
export class MissingPart extends Error {
  override readonly name = "MissingPart";

  constructor(cause: unknown) {
    super("Part of this page couldn't be loaded. Reload the page to continue.", { cause });
  }
}

/** Returns an imported module; rejects with `MissingPart` if it can't be loaded. */
export function loadPart<Module>(loading: Promise<Module>): Promise<Module> {
  return loading.catch((error) => {
    throw new MissingPart(error);
  });
}
