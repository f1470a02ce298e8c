import type { FilePackage } from "../../../../domain/publishing/files.ts";
import type { DocumentFindings, UploadDetails } from "../../../../domain/publishing/publish.ts";
import { serveCalls, Transferred } from "../../../../threads/serve-calls.ts";
import { findingsOf, readUpload, type UploadBody, type UploadTexts } from "./prepare.ts";

/** Read bytes after which garbage is collected at once: this thread would otherwise keep it until it has made much more. */
const COLLECTED_BYTES = 1024 * 1024;

interface Prepared {
  details: UploadDetails;
  package: FilePackage;
  findings: DocumentFindings;
}

export type PrepareCalls = {
  prepare(body: UploadBody): Transferred<Prepared>;
  analyse(texts: UploadTexts): DocumentFindings;
  warmUp(input: undefined): undefined;
};

let uncollected = 0;

/** The thread in which uploads are read that may hold the event loop: large ones, and those with scripts. */
serveCalls<undefined, PrepareCalls>(() => ({ handlers: { prepare, analyse: findingsOf, warmUp: () => undefined } }));

function prepare(body: UploadBody): Transferred<Prepared> {
  uncollected += body.bytes.length;
  if (uncollected >= COLLECTED_BYTES) setImmediate(collect);
  const { details, package: filePackage, texts } = readUpload(body);
  // What parsing has left is as large as the upload, and the analysis makes more.
  if (body.bytes.length >= COLLECTED_BYTES) Bun.gc(true);
  const findings = findingsOf(texts);
  return new Transferred<Prepared>({ details, package: filePackage, findings }, [filePackage.content.buffer]);
}

function collect(): void {
  uncollected = 0;
  Bun.gc(true);
}
