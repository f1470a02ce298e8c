import type { Events } from "../../../domain/model/events.ts";
import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountTokens } from "./tokens.ts";

interface Dependencies extends Pick<Services, "tokens" | "people"> {
  events: Events;
}

export const mountRoutes = (mount: Mount, { tokens, people, events }: Dependencies): void =>
  mountTokens(mount, { tokens, sessions: people.sessions, events });
