import { uploadRoute } from "../../contract/publish.ts";
import { UPLOAD_BODY_BYTES } from "../../domain/limits.ts";
import type { Publish } from "../../domain/publish.ts";
import { readBody } from "./body.ts";
import type { Mount } from "./mount.ts";
import { toIso } from "./time.ts";
import type { UploadPreparer } from "./upload/preparer.ts";

export function mountPublish(mount: Mount, publish: Publish, preparer: UploadPreparer): void {
  mount.streaming(uploadRoute, async (caller, request) => {
    const upload = await preparer.prepare(await readBody(request, UPLOAD_BODY_BYTES));
    const { createdAt, ...report } = await publish.publish(caller, upload);
    return { ...report, created_at: toIso(createdAt) };
  });
}
