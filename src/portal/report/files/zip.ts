import { makeZip } from "client-zip";
import { downloadFileRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import type { Report } from "../types.ts";

interface Options {
  signal: AbortSignal;
  /** Receives the number of archived bytes. */
  onProgress(bytes: number): void;
}

/** Returns all files of a version as a zip archive. */
export function zipReport(report: Report, { signal, onProgress }: Options): Promise<Blob> {
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
  const archive = makeZip(filesOf(report, signal)).pipeThrough(counting, { signal });
  return new Response(archive, { headers: { "Content-Type": "application/zip" } }).blob();
}

async function* filesOf({ code, files, created_at: publishedAt }: Report, signal: AbortSignal) {
  for (const { path } of files) {
    const input = await api.download(downloadFileRoute, { query: { code, path }, signal });
    yield { name: path, lastModified: new Date(publishedAt), input };
  }
}
