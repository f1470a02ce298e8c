import { offerComments } from "./comments-button.ts";
import { startLive } from "./live.ts";
import { findBar } from "./page-parts.ts";

startLive((view) => offerComments(findBar(), view));
