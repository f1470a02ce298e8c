import type { TestDatabase } from "../../support/engines.ts";
import { connectTo } from "../support.ts";
import { engineNamed, migrateStepwise } from "./interrupted.ts";

// The database as JSON, and the statement before which this process kills itself.
const [given = "", last] = process.argv.slice(2);
const database: TestDatabase = JSON.parse(given);
await migrateStepwise(connectTo<unknown>(database), engineNamed(database.engine), (statement) => {
  if (statement === Number(last)) process.kill(process.pid, "SIGKILL");
});
