import { performRead } from "./calls.ts";
import { serveReads } from "./engine/sqlite/serve-reads.ts";

serveReads(performRead);
