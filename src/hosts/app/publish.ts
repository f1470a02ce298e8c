import { uploadRoute } from "../../contract/publish.ts";
import { UPLOAD_BODY_BYTES } from "../../domain/limits.ts";
import type { PreparedUpload, Publish } from "../../domain/publish.ts";
import { readBody } from "./body.ts";
import { createBodyBudget } from "./body-budget.ts";
import type { Mount } from "./mount.ts";
import { toIso } from "./time.ts";
import type { UploadPreparer } from "./upload/preparer.ts";

/** Bytes of all upload bodies that are held in memory at a time, but for small ones. */
const BODIES_BYTES = 3 * UPLOAD_BODY_BYTES;

export function mountPublish(mount: Mount, publish: Publish, preparer: UploadPreparer): void {
  const budget = createBodyBudget(BODIES_BYTES);

  async function receive(request: Request): Promise<PreparedUpload> {
    const lease = budget.open();
    try {
      return await preparer.prepare(await readBody(request, UPLOAD_BODY_BYTES, lease));
    } finally {
      lease.release();
    }
  }

  mount.streaming(uploadRoute, async (caller, request) => {
    const upload = await receive(request);
    const { createdAt, ...report } = await publish.publish(caller, upload);
    return { ...report, created_at: toIso(createdAt) };
  });
}
