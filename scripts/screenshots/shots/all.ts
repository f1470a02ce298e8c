import { HOME } from "./home.ts";
import { KEEPING } from "./keeping.ts";
import { OUTSIDE } from "./outside.ts";
import { PUBLISHING } from "./publishing.ts";
import { REPORT } from "./report.ts";
import { SETTINGS } from "./settings.ts";
import type { Shot } from "./shot.ts";

/** Every page, in its states. */
export const SHOTS: readonly Shot[] = [...HOME, ...REPORT, ...KEEPING, ...PUBLISHING, ...SETTINGS, ...OUTSIDE];
