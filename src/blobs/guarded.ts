import type { MarkedBlobs } from "../domain/model/blobs.ts";
import type { WriteGuard } from "../domain/model/free-space.ts";

/** Returns objects that are written and deleted only while the guard allows it. */
export const guardBlobs = (blobs: MarkedBlobs, guard: WriteGuard): MarkedBlobs => ({
  ...blobs,
  put: (key, content) => guard(() => blobs.put(key, content)),
  add: (key, content) => guard(() => blobs.add(key, content)),
  delete: (keys) => guard(() => blobs.delete(keys)),
});
