/** The limits of an upload, which clients check before they send anything. */
export { FILE_BYTES, FILES_PER_UPLOAD, UPLOAD_BODY_BYTES } from "../../domain/model/limits.ts";
