import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { randomText } from "../model/codes.ts";
import type { Clock, Random } from "../model/ports.ts";

const SECRET_LENGTH = 43;
const SECRET_PATTERN = /^[0-9A-Za-z]{43}$/;

/** Milliseconds for which a guest who has passed a link's checks can open it again. */
const PASS_LIFETIME = 8 * 60 * 60_000;
const PASS_PATTERN = /^([1-9][0-9]{9,11})\.([A-Za-z0-9_-]{43})$/;

/** Returns the secret of a new link: 256 random bits. */
export const newSecret = (random: Random): string => randomText(random, SECRET_LENGTH);

/** Returns whether a text has the form of a secret. */
export const isSecret = (text: string): boolean => SECRET_PATTERN.test(text);

export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Returns the path of a guest link. */
export const guestPath = (secret: string): string => `/s/${secret}/`;

const GUEST_PATH = /^\/s\/([0-9A-Za-z]{43})\/?$/;

/** Returns the secret in the path of a guest link; undefined for other paths. */
export const secretInPath = (path: string): string | undefined => GUEST_PATH.exec(path)?.[1];

/** Creates and verifies passes, which say that a guest gave a link's password or proved an address: `{expiry}.{mac}`. */
export function createPasses({ secret, clock }: { secret: string; clock: Clock }) {
  const key = createHmac("sha256", secret).update("vitrine guest pass").digest();
  const macOf = (linkId: string, expiry: string) =>
    createHmac("sha256", key).update(`${linkId}.${expiry}`).digest("base64url");

  function issue(linkId: string): string {
    const expiry = String(Math.floor((clock.now() + PASS_LIFETIME) / 1000));
    return `${expiry}.${macOf(linkId, expiry)}`;
  }

  /** Returns whether a pass is for this link and hasn't expired. */
  function isValid(pass: string, linkId: string): boolean {
    const [, expiry = "", mac = ""] = PASS_PATTERN.exec(pass) ?? [];
    const expected = Buffer.from(macOf(linkId, expiry));
    const given = Buffer.from(mac);
    const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
    return isGenuine && Number(expiry) * 1000 > clock.now();
  }

  return { issue, isValid };
}

/** Creates one-time codes of six digits, and the hashes by which they are stored. */
export function createOneTimeCodes({ secret, random }: { secret: string; random: Random }) {
  // With a key, because there are few codes to try.
  const key = createHmac("sha256", secret).update("vitrine guest code").digest();
  const hash = (...parts: readonly string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("hex");
  const RANGE = 1_000_000;
  const FAIR = 2 ** 32 - (2 ** 32 % RANGE);

  function create(): string {
    for (;;) {
      const number = Buffer.from(random.bytes(4)).readUInt32BE();
      if (number < FAIR) return String(number % RANGE).padStart(6, "0");
    }
  }

  return {
    create,
    hashCode: (linkId: string, email: string, code: string) => hash("code", linkId, email, code),
    hashEmail: (linkId: string, email: string) => hash("email", linkId, email),
  };
}
