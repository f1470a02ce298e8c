import { perform } from "./calls.ts";
import { serveWrites } from "./engine/sqlite/serve-writes.ts";

serveWrites(perform);
