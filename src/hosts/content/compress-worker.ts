import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { digestOf, type FileEntry } from "../../domain/model/files.ts";
import { serveCalls, Transferred } from "../../threads/serve-calls.ts";
import { encodeCompressed } from "./compressed.ts";
import { ENCODINGS, type Encoding } from "../http/encodings.ts";

interface CompressRequest {
  content: Uint8Array;
  files: readonly FileEntry[];
}

export type CompressCalls = { compress(request: CompressRequest): Transferred<Uint8Array> };

/** A compressed form is kept when it saves at least this share. */
const WORTHWHILE = 0.95;

const COMPRESSORS: Readonly<Record<Encoding, (bytes: Uint8Array) => Uint8Array>> = {
  zstd: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** Compresses published files in a separate thread, after the publish has been answered. */
serveCalls<undefined, CompressCalls>(() => ({
  handlers: {
    compress(request) {
      const compressed = compress(request);
      return new Transferred<Uint8Array>(compressed, [compressed.buffer]);
    },
  },
}));

function compress({ content, files }: CompressRequest): Uint8Array<ArrayBuffer> {
  const forms = files.flatMap(({ path, offset, size, digest }) => {
    const bytes = content.subarray(offset, offset + size);
    // A compressed copy would hide the damage.
    if (digestOf(bytes) !== digest) return [];
    return ENCODINGS.map((encoding) => ({ path, encoding, bytes: COMPRESSORS[encoding](bytes) })).filter(
      (form) => form.bytes.length <= size * WORTHWHILE,
    );
  });
  return encodeCompressed(forms);
}
