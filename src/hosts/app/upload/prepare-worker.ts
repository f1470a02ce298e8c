import { Failure, type FailureKind } from "../../../domain/failure.ts";
import type { FilePackage } from "../../../domain/files.ts";
import type { DocumentFindings, UploadDetails } from "../../../domain/publish.ts";
import { readUpload, type UploadBody } from "./prepare.ts";

declare const self: Worker;

export type PrepareReply =
  | { ok: true; details: UploadDetails; package: FilePackage; findings: DocumentFindings }
  | { ok: false; kind: FailureKind | undefined; message: string };

/** The thread in which large uploads are decoded, so that they do not hold the event loop. */
self.onmessage = (event: MessageEvent<UploadBody>) => {
  const reply = prepare(event.data);
  if (reply.ok) self.postMessage(reply, [reply.package.content.buffer]);
  else self.postMessage(reply);
  // All that is left of the upload is garbage, which this thread would otherwise keep until it has made much more.
  setImmediate(() => Bun.gc(true));
};

function prepare(body: UploadBody): PrepareReply {
  try {
    const { details, package: filePackage, findings } = readUpload(body);
    return { ok: true, details, package: filePackage, findings: findings() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, kind: error instanceof Failure ? error.kind : undefined, message };
  }
}
