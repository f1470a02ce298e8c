import { z } from "zod";
import type { Scene } from "../server.ts";

const REDIRECT = "http://127.0.0.1:33418/callback";

/** Registers an app and starts to sign in a terminal, so that both can be allowed. */
export async function fillConnecting(scene: Scene): Promise<void> {
  const { url } = scene;
  const registered = await fetch(`${url}/-/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Claude", redirect_uris: [REDIRECT] }),
  });
  const { client_id } = z.object({ client_id: z.string() }).parse(await registered.json());
  const request = {
    ...{ response_type: "code", client_id, redirect_uri: REDIRECT, state: "xyz", scope: "reports:read reports:write" },
    // The code is never redeemed.
    ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
  };
  const started = await fetch(`${url}/-/oauth/device`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "vitrine-cli", device_name: "ada-laptop" }),
  });
  const { user_code } = z.object({ user_code: z.string() }).parse(await started.json());
  scene.paths.set("connect app", `/-/oauth/authorize?${new URLSearchParams(request)}`);
  scene.paths.set("connect terminal", `/-/device?${new URLSearchParams({ user_code })}`);
}
