import type { Topic } from "../model/topic.ts";
import { answerDeviceRoute, appsRoute, connectAppRoute, disconnectAppRoute } from "./apps.ts";

export const topics: readonly Topic[] = [
  {
    name: "Connected apps",
    description:
      "Programs that act for a user with OAuth, such as agents that connect to `/mcp`. Apps find the endpoints of OAuth at `/.well-known/oauth-authorization-server`. The calls below require a browser session.",
    place: 105,
    routes: [appsRoute, connectAppRoute, answerDeviceRoute, disconnectAppRoute],
  },
];
