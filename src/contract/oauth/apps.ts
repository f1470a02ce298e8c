import * as z from "zod";
import { instant, nothing, requestedOwner, text } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";
import { scope } from "../tokens/tokens.ts";

const APP_ID = "grn_Q3ZzD1mB0kXa7TgH";
const parameter = text(2000).optional();

const app = z
  .object({
    id: z.string().meta({ description: "The ID of the connection.", examples: [APP_ID] }),
    name: z.string().meta({ description: "The name that the app gave itself.", examples: ["Claude"] }),
    client_id: z.string().meta({ description: "The app's client ID: an address if the app identified itself by one." }),
    workspace: z.string().meta({ description: "The slug of the workspace that the app uses." }),
    scopes: z.array(scope).meta({ description: "What the app may do." }),
    created_at: instant,
    last_used_at: instant.meta({ description: "The time when the app was last active." }),
  })
  .meta({ id: "ConnectedApp" });

export type ConnectedApp = z.output<typeof app>;

export const appsRoute = defineRoute({
  method: "GET",
  path: "/api/apps",
  id: "apps",
  summary: "List connected apps",
  description: "Returns the apps that the caller connected with OAuth, newest first.",
  scope: null,
  credential: "session",
  query: nothing,
  body: nothing,
  response: z
    .object({ apps: z.array(app).meta({ description: "The connected apps, newest first." }) })
    .meta({ id: "ConnectedApps" }),
  failures: {},
});

/** What a person decides about a request of a program. */
const decision = {
  allow: z.boolean().meta({ description: "Whether the app may act for the caller." }),
  owner: requestedOwner,
  scopes: z.array(scope).max(10, "must have at most 10 entries").meta({ description: "What the app may do." }),
};

export const connectAppRoute = defineRoute({
  method: "POST",
  path: "/api/apps/connect",
  id: "connectApp",
  summary: "Answer an app's request",
  description:
    "Allows or declines the authorization request of an app. The response has the address that returns to the app. Allowing requires that the user signed in or confirmed their identity within the last hour.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z
    .object({
      request: z
        .object({
          response_type: parameter,
          client_id: parameter,
          redirect_uri: parameter,
          code_challenge: parameter,
          code_challenge_method: parameter,
          scope: parameter,
          resource: parameter,
          state: parameter,
        })
        .meta({ description: "The parameters of the authorization request." }),
      ...decision,
    })
    .meta({ id: "ConnectApp" }),
  response: z.object({
    url: z.string().meta({ description: "The address that brings the answer to the app." }),
  }),
  hasSecrets: true,
  failures: {
    403: "The user signed in more than an hour ago, the request has an access token, or it came from another site.",
    404: "The workspace does not exist, or the caller is not a member.",
  },
});

export const answerDeviceRoute = defineRoute({
  method: "POST",
  path: "/api/apps/answer-device",
  id: "answerDevice",
  summary: "Answer a device's request",
  description:
    "Allows or declines the request of a device, such as a terminal that runs `vitrine login`. Allowing requires that the user signed in or confirmed their identity within the last hour.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z
    .object({ user_code: text(100).meta({ description: "The code that the device shows." }), ...decision })
    .meta({ id: "AnswerDevice" }),
  response: z.object({ ok: z.literal(true) }),
  failures: {
    403: "The user signed in more than an hour ago, the request has an access token, or it came from another site.",
    404: "The code is not valid, or the caller is not a member of the workspace.",
  },
});

export const disconnectAppRoute = defineRoute({
  method: "POST",
  path: "/api/apps/disconnect",
  id: "disconnectApp",
  summary: "Disconnect an app",
  description: "The app's access tokens stop working immediately.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z
    .object({ id: text(1000).meta({ description: "The ID of the connection.", examples: [APP_ID] }) })
    .meta({ id: "DisconnectApp", examples: [{ id: APP_ID }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "The caller has no connected app with this ID." },
});
