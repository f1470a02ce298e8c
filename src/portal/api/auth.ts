import { z } from "zod";
import { ApiError } from "./client.ts";

const refusal = z.object({ error: z.string() });

/** Asks for what signing in is about, which is no part of the API. Throws as the API's client does. */
export async function postAuth(
  path: "sign-out" | "revoke-sessions" | "change-password",
  body: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.ok) return;
  const said = refusal.safeParse(await answer.json().catch(() => undefined));
  const message = said.data?.error ?? `The server answered with status ${answer.status}.`;
  throw new ApiError(answer.status, message, answer.headers.get("x-request-id") ?? undefined);
}
