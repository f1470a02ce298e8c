import * as z from "zod";

const CLIENT_ID = "vitrine-cli";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SECOND = 1000;
/** What RFC 8628 §3.5 adds to the pause when the server asks to slow down, in milliseconds. */
const SLOWER_BY = 5 * SECOND;
const REQUEST_TIMEOUT = 15 * SECOND;

const begunSchema = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number().default(5),
});
const tokenSchema = z.object({ access_token: z.string() });
const refusalSchema = z.object({ error: z.string(), error_description: z.string().optional() });

/** A sign-in that waits for a person to approve its code in a browser. */
export interface DeviceSignIn {
  deviceCode: string;
  userCode: string;
  page: string;
  pageWithCode: string;
  /** Milliseconds. */
  expiresIn: number;
  /** Milliseconds between requests. */
  pause: number;
}

/** A sign-in that the person or the server ended. */
export class SignInRefused extends Error {}

const send = (url: string, fields: Readonly<Record<string, string>>) =>
  fetch(url, { method: "POST", body: new URLSearchParams(fields), signal: AbortSignal.timeout(REQUEST_TIMEOUT) });

/** Begins the sign-in of a device (RFC 8628). Returns undefined if the server doesn't offer it. Throws `SignInRefused`. */
export async function beginDeviceSignIn(baseUrl: string, deviceName: string): Promise<DeviceSignIn | undefined> {
  const response = await send(`${baseUrl}/-/oauth/device`, { client_id: CLIENT_ID, device_name: deviceName });
  if (response.status === 404 || response.status === 405) return undefined;
  const answer: unknown = await response.json();
  const begun = begunSchema.safeParse(answer).data;
  if (begun === undefined) throw refusalOf(answer);
  return {
    deviceCode: begun.device_code,
    userCode: begun.user_code,
    page: begun.verification_uri,
    pageWithCode: begun.verification_uri_complete,
    expiresIn: begun.expires_in * SECOND,
    pause: begun.interval * SECOND,
  };
}

/** Waits until the person has approved the code, and returns the access token. Throws `SignInRefused`. */
export async function awaitApproval(
  baseUrl: string,
  { deviceCode, pause, expiresIn }: DeviceSignIn,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<string> {
  const fields = { grant_type: DEVICE_GRANT, client_id: CLIENT_ID, device_code: deviceCode };
  let waited = 0;
  let next = pause;
  while (waited < expiresIn) {
    await wait(next);
    waited += next;
    // A server that restarts in between doesn't end the sign-in.
    const response = await send(`${baseUrl}/-/oauth/token`, fields).catch(() => undefined);
    if (response === undefined || response.status >= 500 || response.status === 429) continue;
    const answer: unknown = await response.json();
    const issued = tokenSchema.safeParse(answer).data;
    if (issued !== undefined) return issued.access_token;
    const error = refusalSchema.safeParse(answer).data?.error;
    if (error === "slow_down") next += SLOWER_BY;
    else if (error !== "authorization_pending") throw refusalOf(answer);
  }
  throw new SignInRefused("The code has expired. Run vitrine login again.");
}

/** Revokes the access token of a sign-in (RFC 7009). Returns whether the server did so. */
export async function revokeSignIn(baseUrl: string, token: string): Promise<boolean> {
  const response = await send(`${baseUrl}/-/oauth/revoke`, { client_id: CLIENT_ID, token }).catch(() => undefined);
  return response?.ok === true;
}

function refusalOf(answer: unknown): SignInRefused {
  const { error_description: description } = refusalSchema.parse(answer);
  return new SignInRefused(description ?? "The server declined the sign-in.");
}
