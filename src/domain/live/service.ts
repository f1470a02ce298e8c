export { createLive as createService } from "./live.ts";
