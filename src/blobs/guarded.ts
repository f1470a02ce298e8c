import type { MarkedBlobs } from "../domain/model/blobs.ts";
import type { WriteGuard } from "../domain/model/free-space.ts";

/** Returns the same objects, written and deleted only as long as the guard allows it. */
export const guardBlobs = (blobs: MarkedBlobs, guard: WriteGuard): MarkedBlobs => ({
  ...blobs,
  put: (key, content) => guard(() => blobs.put(key, content)),
  delete: (keys) => guard(() => blobs.delete(keys)),
});
