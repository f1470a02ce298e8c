import { SettingError } from "./setting-error.ts";
import type { SettingName } from "./table.ts";

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const OIDC_SETTINGS = ["VITRINE_OIDC_ISSUER", "VITRINE_OIDC_CLIENT_ID", "VITRINE_OIDC_CLIENT_SECRET"] as const;

/** Reads the single sign-on provider. Throws `SettingError` if only some of its settings are given. */
export function readOidc(read: (name: SettingName) => string | undefined): OidcSettings | undefined {
  const [issuer, clientId, clientSecret] = OIDC_SETTINGS.map(read);
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return Object.freeze({ issuer: checkIssuer(issuer), clientId, clientSecret });
  }
  const missing = OIDC_SETTINGS.find((name) => read(name) === undefined);
  const given = OIDC_SETTINGS.find((name) => read(name) !== undefined);
  if (given === undefined) return undefined;
  throw new SettingError(`${missing} is missing: single sign-on requires it together with ${given}.`);
}

/** Returns the issuer. Throws unless it is reached safely, because secrets and sign-in codes are sent there. */
function checkIssuer(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (!isSafe || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new SettingError("VITRINE_OIDC_ISSUER must be an https:// address, or an http:// address of this machine.");
  }
  return value;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
