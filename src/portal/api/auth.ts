import { z } from "zod";
import { ApiError } from "./client.ts";

const refusal = z.object({ error: z.string() });
const sessionSchema = z.object({ session: z.object({ needs_confirmation: z.boolean() }) });
const beginSchema = z.object({ url: z.string() });
const UNAUTHENTICATED = 401;

/** Posts to an authentication endpoint, which isn't part of the API. Throws like the API client. */
export async function postAuth(
  path: "sign-out" | "revoke-sessions" | "change-password",
  body: Readonly<Record<string, string | boolean>> = {},
): Promise<void> {
  await send(path, body);
}

/** Confirms the user's identity with their password. Throws like the API client. */
export const confirmPassword = async (password: string): Promise<void> => {
  await send("confirm-password", { password });
};

/**
 * Returns the address where the user confirms their identity by single sign-on; `next` is the portal page they return
 * to.
 */
export async function beginSingleSignOn(next: string): Promise<string> {
  const answer = await send("sign-in/oidc", { next, confirm: true });
  return beginSchema.parse(await answer.json()).url;
}

/** Returns whether the user has to confirm their identity again. Throws like the API client. */
export async function needsConfirmation(): Promise<boolean> {
  const answer = await fetch("/api/auth/get-session");
  if (!answer.ok) throw await failureOf(answer);
  const found = sessionSchema.safeParse(await answer.json());
  if (!found.success) throw new ApiError(UNAUTHENTICATED, "You're not signed in.");
  return found.data.session.needs_confirmation;
}

async function send(path: string, body: Readonly<Record<string, string | boolean>>): Promise<Response> {
  const answer = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.ok) return answer;
  throw await failureOf(answer);
}

async function failureOf(answer: Response): Promise<ApiError> {
  const said = refusal.safeParse(await answer.json().catch(() => undefined));
  const message = said.data?.error ?? `The server answered with status ${answer.status}.`;
  return new ApiError(answer.status, message, answer.headers.get("x-request-id") ?? undefined);
}
