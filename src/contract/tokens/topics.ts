import type { Topic } from "../model/topic.ts";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "./tokens.ts";

export const topics: readonly Topic[] = [
  {
    name: "Access tokens",
    description:
      "Credentials for programs. Require a browser session, because an access token cannot create or revoke access tokens.",
    place: 100,
    routes: [tokensRoute, createTokenRoute, revokeTokenRoute],
  },
];
