import { getPriority, constants as os, setPriority } from "node:os";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { digestOf, type FileEntry } from "../../domain/model/files.ts";
import { serveCalls, Transferred } from "../../threads/serve-calls.ts";
import { ENCODINGS, type Encoding } from "../http/encodings.ts";
import { type CompressedForm, encodeCompressed } from "./compressed.ts";

interface CompressRequest {
  content: Uint8Array;
  file: Pick<FileEntry, "path" | "digest">;
}

export type CompressCalls = {
  /** Returns the compressed forms of a file that are worth keeping. */
  compress(request: CompressRequest): Transferred<CompressedForm[]>;
  /** Joins forms into one object. */
  join(forms: readonly CompressedForm[]): Transferred<Uint8Array>;
};

/** How much nicer this thread is than the server, so that requests come first. */
const NICENESS = 10;
/** A compressed form is kept when it saves at least this share. */
const WORTHWHILE = 0.95;
/**
 * Larger files are compressed less well, because 20 MB would take half a minute. Brotli's quality 11 takes twice as long as
 * 10 and saves 1 to 3 %.
 */
const BEST_BYTES = 2 * 1024 * 1024;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = constants;

const COMPRESSORS: Readonly<Record<Encoding, (bytes: Uint8Array, isBest: boolean) => Uint8Array>> = {
  zstd: (bytes, isBest) => zstdCompressSync(bytes, { params: { [ZSTD_c_compressionLevel]: isBest ? 19 : 12 } }),
  br: (bytes, isBest) =>
    brotliCompressSync(bytes, {
      params: { [BROTLI_PARAM_QUALITY]: isBest ? 10 : 9, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** Compresses published files in a separate thread, after the publish has been answered. */
serveCalls<undefined, CompressCalls>(() => {
  lowerPriority();
  return {
    handlers: {
      compress(request) {
        const forms = compress(request);
        return new Transferred(forms, buffersOf(forms));
      },
      join(forms) {
        const whole = encodeCompressed(forms);
        return new Transferred<Uint8Array>(whole, [whole.buffer]);
      },
    },
  };
});

/** Lowers the priority of this thread. Elsewhere than on Linux, the call would concern the whole process. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, Math.min(getPriority(0) + NICENESS, os.priority.PRIORITY_LOW));
  } catch {
    // A container may forbid it.
  }
}

function compress({ content, file: { path, digest } }: CompressRequest): CompressedForm[] {
  // A compressed copy would hide the damage.
  if (digestOf(content) !== digest) return [];
  return ENCODINGS.map((encoding) => ({
    path,
    encoding,
    bytes: new Uint8Array(COMPRESSORS[encoding](content, content.length <= BEST_BYTES)),
  })).filter(({ bytes }) => bytes.length <= content.length * WORTHWHILE);
}

const buffersOf = (forms: readonly { bytes: Uint8Array<ArrayBuffer> }[]) => forms.map(({ bytes }) => bytes.buffer);
