import type { ResponseOf } from "../../../contract/model/route.ts";
import { uploadHeaders, uploadRoute } from "../../../contract/publishing/publish.ts";
import type { Caller } from "../../../domain/model/entities.ts";
import { UPLOAD_BODY_BYTES } from "../../../domain/model/limits.ts";
import type { PreparedUpload, Publish } from "../../../domain/publishing/publish.ts";
import type { Addressing } from "../../../domain/reviews/addressing.ts";
import type { ReadBody } from "../../http/body.ts";
import { createBodyBudget } from "../../http/body-budget.ts";
import { bodyEncoding, decodeBody } from "../../http/body-encodings.ts";
import { toIso } from "../../http/time.ts";
import { validateHeaders } from "../../http/validation.ts";
import { type Mount, senderOf } from "../mount.ts";
import type { UploadPreparer } from "./upload/preparer.ts";

/** The budget for upload bodies in memory, not counting small ones, in bytes. */
const BODIES = { total: 2 * UPLOAD_BODY_BYTES, share: UPLOAD_BODY_BYTES / 2 };

interface PublishDependencies {
  publish: Publish;
  addressing: Addressing;
  preparer: UploadPreparer;
  readBody: ReadBody;
}

export function mountPublish(mount: Mount, { publish, addressing, preparer, readBody }: PublishDependencies): void {
  const budget = createBodyBudget(BODIES);

  async function receive({ userId }: Caller, request: Request, sender: string): Promise<PreparedUpload> {
    const encoding = bodyEncoding(request.headers);
    const lease = budget.open(sender);
    const reading = { limit: UPLOAD_BODY_BYTES, lease };
    try {
      const body = await readBody(request, UPLOAD_BODY_BYTES, lease);
      const bytes = encoding === undefined ? body : await decodeBody(body, encoding, reading);
      return await preparer.prepare({ bytes, type: request.headers.get("content-type") ?? "" }, userId);
    } finally {
      lease.release();
    }
  }

  mount.streaming(uploadRoute, async (caller, request, session) => {
    const { "Idempotency-Key": key } = validateHeaders(uploadHeaders, request.headers);
    const upload = await receive(caller, request, senderOf(caller, session));
    const { name, addresses } = upload.details;
    // Before anything is stored, so that an unknown thread publishes nothing.
    const addressed = await addressing.find(caller, { name, ids: addresses });
    const { createdAt, isReplay, ...report } = await publish.publish(caller, upload, key, addressed);
    const answer: ResponseOf<typeof uploadRoute> = { ...report, created_at: toIso(createdAt) };
    return isReplay ? Response.json(answer, { headers: { "Idempotent-Replayed": "true" } }) : answer;
  });
}
