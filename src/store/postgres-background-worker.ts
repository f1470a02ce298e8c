import { perform, performAtOnce, performRead } from "./calls.ts";
import { serveBackground } from "./engine/postgres/serve-background.ts";

serveBackground({ perform, performAtOnce, performRead });
