import { startLive } from "./live.ts";

startLive();
