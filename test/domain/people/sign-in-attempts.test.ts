import { describe, expect, test } from "bun:test";
import { createSignInAttempts } from "../../../src/domain/people/sign-in-attempts.ts";
import { random } from "../../support/service.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

describe("an attempt to sign in with a provider", () => {
  let now = 1_800_000_000_000;
  const clock = { now: () => now };
  const attempts = createSignInAttempts({ secret: SECRET, clock, random });

  test("is resumed as it was started, by any server with the same secret", () => {
    const { attempt, kept } = attempts.begin("/a-report/?é=1#part");
    expect(attempt.next).toBe("/a-report/?é=1#part");
    expect(attempts.resume(kept, attempt.state)).toEqual(attempt);
    expect(createSignInAttempts({ secret: SECRET, clock, random }).resume(kept, attempt.state)).toEqual(attempt);
    expect(createSignInAttempts({ secret: `${SECRET}x`, clock, random }).resume(kept, attempt.state)).toBeUndefined();
  });

  test("shares nothing with other attempts", () => {
    const [one, other] = [attempts.begin("/"), attempts.begin("/")];
    const values = [one, other].flatMap(({ attempt: { state, nonce, verifier } }) => [state, nonce, verifier]);
    expect(new Set(values).size).toBe(6);
    expect(attempts.resume(one.kept, other.attempt.state)).toBeUndefined();
  });

  test("doesn't reveal to the browser what only the provider may know", () => {
    const { attempt, kept } = attempts.begin("/");
    expect(kept).not.toContain(attempt.verifier);
    expect(kept).not.toContain(attempt.nonce);
  });

  test("that confirms an identity can't be used for sign-in, or vice versa", () => {
    const [plain, confirming] = [attempts.begin("/"), attempts.begin("/", { isConfirmation: true })];
    expect([plain.attempt.isConfirmation, confirming.attempt.isConfirmation]).toEqual([false, true]);
    expect(attempts.resume(confirming.kept, confirming.attempt.state)).toEqual(confirming.attempt);
    expect(attempts.resume(confirming.kept.replace(".confirm", ""), confirming.attempt.state)).toBeUndefined();
    const [state, expiry, next, mac] = plain.kept.split(".");
    expect(attempts.resume(`${state}.${expiry}.${next}.confirm.${mac}`, plain.attempt.state)).toBeUndefined();
  });

  test("expires after ten minutes", () => {
    const { attempt, kept } = attempts.begin("/");
    now += 600_000 - 1;
    expect(attempts.resume(kept, attempt.state)).toEqual(attempt);
    now += 1;
    expect(attempts.resume(kept, attempt.state)).toBeUndefined();
  });

  test("can't be modified", () => {
    const { attempt, kept } = attempts.begin("/");
    const [state = "", expiry = "", , mac = ""] = kept.split(".");
    const elsewhere = Buffer.from("/elsewhere").toString("base64url");
    const later = String(Number(expiry) + 1000);
    for (const forged of [
      `${state}.${expiry}.${elsewhere}.${mac}`,
      `${state}.${later}.${kept.split(".")[2]}.${mac}`,
      `${kept}x`,
      kept.slice(0, -1),
      "",
      "...",
    ]) {
      expect(attempts.resume(forged, attempt.state)).toBeUndefined();
    }
    expect(attempts.resume("...", "")).toBeUndefined();
  });

  test("leads to the home page if the next address is too long for a cookie", () => {
    expect(attempts.begin(`/${"x".repeat(1999)}`).attempt.next).toHaveLength(2000);
    expect(attempts.begin(`/${"x".repeat(2000)}`).attempt.next).toBe("/");
    expect(attempts.begin(`/${"x".repeat(1999)}`).kept.length).toBeLessThan(3500);
  });
});
