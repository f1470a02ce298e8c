import { startPostgres } from "../test/support/postgres.ts";
import { type Bench, progress } from "./support/bench.ts";
