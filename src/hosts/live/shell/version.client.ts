import type { FramedVersion } from "../messages.ts";
import { offerCopying } from "./copy-link.ts";
import { createFrames } from "./frames.ts";
import { part, showWhen } from "./page-parts.ts";

const { src }: FramedVersion = JSON.parse(part("state", HTMLScriptElement).text);
const when = part("when", HTMLTimeElement);
const frames = createFrames();

addEventListener("hashchange", () => frames.followFragment(src));
frames.start(src);
offerCopying();
showWhen(when, when.dateTime);
