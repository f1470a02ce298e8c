import { serveCopies } from "./engine/sqlite/serve-copies.ts";

serveCopies();
