import type { FilePackage } from "../../../../domain/publishing/files.ts";
import type { DocumentFindings, UploadDetails } from "../../../../domain/publishing/publish.ts";
import { serveCalls, Transferred } from "../../../../threads/serve-calls.ts";
import { findingsOf, readUpload, type UploadBody, type UploadTexts } from "./prepare.ts";

/** The number of bytes read before a garbage collection is forced once the thread is idle. Without it, it would keep much more memory. */
const COLLECTED_BYTES = 1024 * 1024;
/** The number of bytes read before one is forced while more uploads wait. Each takes as long as reading several uploads. */
const COLLECTED_BUSY_BYTES = 8 * 1024 * 1024;
/** Milliseconds without an upload after which the thread counts as idle. */
const IDLE_TIME = 50;

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
let idle: ReturnType<typeof setTimeout> | undefined;

/** Runs in a thread and reads uploads that would block the event loop: large ones, and those with scripts. */
serveCalls<undefined, PrepareCalls>(() => ({ handlers: { prepare, analyse: findingsOf, warmUp: () => undefined } }));

function prepare(body: UploadBody): Transferred<Prepared> {
  uncollected += body.bytes.length;
  collectSoon();
  const { details, package: filePackage, texts } = readUpload(body);
  // Parsing leaves as much garbage as the upload is large, and the analysis adds more.
  if (body.bytes.length >= COLLECTED_BYTES) Bun.gc(true);
  const findings = findingsOf(texts);
  return new Transferred<Prepared>({ details, package: filePackage, findings }, [filePackage.content.buffer]);
}

function collectSoon(): void {
  clearTimeout(idle);
  if (uncollected >= COLLECTED_BUSY_BYTES) setImmediate(collect);
  else if (uncollected >= COLLECTED_BYTES) idle = setTimeout(collect, IDLE_TIME);
}

function collect(): void {
  uncollected = 0;
  Bun.gc(true);
}
