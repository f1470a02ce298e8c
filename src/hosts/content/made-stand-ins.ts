import { digestOf, type FileEntry } from "../../domain/model/files.ts";
import { standInPath } from "../../domain/publishing/stand-in.ts";
import { withStandIn } from "../../html/stand-in.ts";
import { compressInPool } from "../http/compression.ts";
import { ENCODINGS } from "../http/encodings.ts";
import { type Form, type ServedFile, toMadeFile } from "./forms.ts";

/** Smaller pages gain little from compression. */
const SMALLEST_BYTES = 1024;

interface MadeStandIn {
  file: ServedFile;
  /** The bytes of its forms, to keep in memory. */
  contents: readonly (readonly [form: Form, bytes: Uint8Array<ArrayBuffer>])[];
}

/**
 * Makes the page that browsers get instead of one, for a report that got storage after it was published. The same page
 * always gives the same bytes.
 */
export async function makeStandIn(
  code: string,
  page: FileEntry,
  read: () => Promise<Uint8Array>,
): Promise<MadeStandIn> {
  const make = async () => new Uint8Array(withStandIn(await read()));
  const bytes = await make();
  const entry = { path: standInPath(page.path), offset: page.offset, size: bytes.length, digest: digestOf(bytes) };
  const encodings = bytes.length < SMALLEST_BYTES ? [] : ENCODINGS;
  const compressed = await Promise.all(
    encodings.map(async (encoding) => ({
      encoding,
      bytes: await compressInPool(encoding, bytes),
      make: async () => compressInPool(encoding, await make()),
    })),
  );
  const smaller = compressed.filter((form) => form.bytes.length < bytes.length);
  const file = toMadeFile(
    code,
    entry,
    make,
    smaller.map(({ encoding, bytes: { length: size }, make: makeForm }) => ({ encoding, size, make: makeForm })),
  );
  const forms = file.compressed ?? [];
  return {
    file,
    contents: [
      [file.original, bytes],
      ...forms.flatMap((form) => {
        const content = smaller.find(({ encoding }) => encoding === form.encoding);
        return content === undefined ? [] : [[form, content.bytes] as const];
      }),
    ],
  };
}
