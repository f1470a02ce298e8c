export { createPublish as createService } from "./publish.ts";
