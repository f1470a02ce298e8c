import type { Topic } from "../model/topic.ts";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "./tokens.ts";

export const topics: readonly Topic[] = [
  {
    name: "Access tokens",
    description:
      "What programs sign in with. Requires a browser session, because tokens cannot create or revoke tokens.",
    place: 100,
    routes: [tokensRoute, createTokenRoute, revokeTokenRoute],
  },
];
