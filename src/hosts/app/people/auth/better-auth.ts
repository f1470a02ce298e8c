import { betterAuth } from "better-auth/minimal";
import { newId } from "../../../../domain/model/codes.ts";
import type { Addresses } from "../../../../domain/model/links.ts";
import type { Random } from "../../../../domain/model/ports.ts";
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from "../../../../domain/people/accounts.ts";
import type { AuthRecords, PasswordHasher } from "../../../../domain/people/ports.ts";
import { SESSION_SECONDS } from "../../../../domain/people/sessions.ts";
import type { Log } from "../../../../observability/log.ts";
import { isSecure, sessionCookieName } from "../../../http/session-cookie.ts";
import { createAuthAdapter } from "./adapter.ts";
import { ADDRESS_HEADER } from "./address-header.ts";
import { signInAsPlugin } from "./sign-in-as.ts";

export interface BetterAuthDependencies {
  records: AuthRecords;
  passwords: PasswordHasher;
  random: Random;
  log: Log;
  addresses: Addresses;
  secret: string;
}

const TIMES = { createdAt: "created_at", updatedAt: "updated_at" };

const ID_PREFIXES: Readonly<Record<string, string>> = {
  user: "usr",
  users: "usr",
  account: "acc",
  accounts: "acc",
  session: "ses",
  sessions: "ses",
};

/** Creates Better Auth on Vitrine's tables. Its input is validated before it gets here. */
export function createBetterAuth({ records, passwords, random, log, addresses, secret }: BetterAuthDependencies) {
  return betterAuth({
    appName: "Vitrine",
    baseURL: addresses.baseUrl,
    basePath: "/api/auth",
    // As a list, which environment variables do not override.
    secrets: [{ version: 1, value: secret }],
    database: createAuthAdapter(records),
    user: { modelName: "users", fields: { ...TIMES, emailVerified: "email_verified" } },
    account: {
      modelName: "accounts",
      fields: {
        ...TIMES,
        userId: "user_id",
        providerId: "provider_id",
        accountId: "account_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
      },
    },
    session: {
      modelName: "sessions",
      fields: {
        ...TIMES,
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
      },
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
    },
    verification: { modelName: "verifications", fields: { ...TIMES, expiresAt: "expires_at" } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MINIMUM,
      maxPasswordLength: PASSWORD_MAXIMUM,
      password: { hash: passwords.hash, verify: ({ password, hash }) => passwords.verify(password, hash) },
    },
    advanced: {
      // It would prepend `__Secure-` to the cookie's name.
      useSecureCookies: false,
      cookiePrefix: isSecure(addresses) ? "__Host-vitrine" : "vitrine",
      cookies: { session_token: { name: sessionCookieName(addresses) } },
      defaultCookieAttributes: { httpOnly: true, secure: isSecure(addresses), sameSite: "lax", path: "/" },
      // `checkSameOrigin` is stricter and runs first.
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER], ipv6Subnet: 128 },
      database: { generateId: ({ model }) => newId(random, ID_PREFIXES[model] ?? "ver") },
    },
    plugins: [signInAsPlugin],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: "error",
      log: (_level, message, ...details) => {
        log.error({ message: `Sign-in: ${message}`, error: details[0] });
      },
    },
  });
}

export type BetterAuth = ReturnType<typeof createBetterAuth>;
