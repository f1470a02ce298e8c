/** Definitions that clients share with the server and that need no schemas, which take long to load. */

export {
  BRIDGE_LIMITS,
  type BridgeMessage,
  type Pixels,
  type ScrollState,
  type StorageArea,
} from "../contract/bridge/messages.ts";
export { FIRST_READS, LIST_PAGE } from "../contract/model/first-reads.ts";
export {
  FRAME_FEATURES,
  PICTURE_SANDBOX_TOKENS,
  PREVIEW_PATH,
  type PreviewFile,
  type PreviewMessage,
  type PreviewNews,
  previewReference,
  SANDBOX_TOKENS,
} from "../contract/model/frames.ts";
export {
  CODE_PATTERN,
  createLinks,
  parseLivePath,
  REPORT_NAME_PATTERN,
  SLUG_PATTERN,
} from "../contract/model/links.ts";
export { FILE_BYTES, FILES_PER_UPLOAD, UPLOAD_BODY_BYTES } from "../contract/model/upload-limits.ts";
