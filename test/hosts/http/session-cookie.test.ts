import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readCookie, sessionCookieHeaders } from "../../../src/hosts/http/session-cookie.ts";
import { runsOf } from "../../support/runs.ts";

const NAME = "__Host-vitrine_session";
const addresses = { baseUrl: "https://reports.example.org" };

/** Headers as the server sees them: each byte of the request is one character. */
const headersWith = (cookie: string) => new Headers({ cookie });
const read = (cookie: string) => readCookie(headersWith(cookie), NAME);

/** Returns whether browsers may send a byte inside a cookie. Separators would start another cookie or end the name. */
const isSentInNames = (byte: number) => byte >= 0x20 && byte !== 0x7f && byte !== 0x3b && byte !== 0x3d;
const BYTES = Array.from({ length: 256 }, (_, byte) => byte).filter(isSentInNames);
const isBlank = (text: string) => /^[ \t]*$/.test(text);
const bytes = fc
  .array(fc.constantFrom(...BYTES), { minLength: 1, maxLength: 4 })
  .map((codes) => String.fromCharCode(...codes));

describe("a cookie", () => {
  test.each<[string, string, string | undefined]>([
    ["alone", `${NAME}=abc`, "abc"],
    ["among others", `theme=dark; ${NAME}=abc; lang=en`, "abc"],
    ["with blanks around name and value", ` \t${NAME} = \tabc\t `, "abc"],
    ["percent-encoded", `${NAME}=a%2Fb`, "a/b"],
    ["with = in its value", `${NAME}=a=b=`, "a=b="],
    ["with broken escapes", `${NAME}=%zz`, undefined],
    ["after a no-break space", `\xA0${NAME}=abc`, undefined],
    ["before a no-break space", `${NAME}\xA0=abc`, undefined],
    ["after a no-break space in UTF-8", `\xC2\xA0${NAME}=abc`, undefined],
    ["after a byte order mark", `\xEF\xBB\xBF${NAME}=abc`, undefined],
    ["after a vertical tab", `x=1;\v${NAME}=abc`, undefined],
    ["after a form feed", `x=1;\f${NAME}=abc`, undefined],
    ["after a next-line character", `\x85${NAME}=abc`, undefined],
    ["in another case", `${NAME.toUpperCase()}=abc`, undefined],
    ["inside another's value", `x=${NAME}=abc`, undefined],
    ["inside a quoted value", `x="y; ${NAME}=abc`, "abc"],
    ["twice", `${NAME}=abc; ${NAME}=def`, undefined],
    ["twice with the same value", `${NAME}=abc;${NAME}=abc`, undefined],
    ["twice, once without a value", `${NAME}=; ${NAME}=abc`, undefined],
    ["without =", NAME, undefined],
  ])("%s is read correctly", (_, cookie, value) => {
    expect(read(cookie)).toBe(value);
  });

  test("is not found beside any bytes but spaces and tabs", () =>
    fc.assert(
      fc.property(bytes, bytes, fc.boolean(), (prefix, suffix, isFirst) => {
        const before = isFirst ? "" : "theme=dark;";
        expect(read(`${before}${prefix}${NAME}=abc`)).toBe(isBlank(prefix) ? "abc" : undefined);
        expect(read(`${before}${NAME}${suffix}=abc`)).toBe(isBlank(suffix) ? "abc" : undefined);
        // Beside the real one, a fake one is another cookie and has no effect.
        if (!isBlank(prefix)) expect(read(`${prefix}${NAME}=evil; ${NAME}=abc`)).toBe("abc");
      }),
      { numRuns: runsOf(2000) },
    ));

  test("is passed on to the sign-in library alone and in one form", () =>
    fc.assert(
      fc.property(bytes, fc.string({ maxLength: 20, unit: "binary" }), (prefix, value) => {
        const own = `${NAME}=${encodeURIComponent(value.toWellFormed())}`;
        const passedOn = (cookie: string) => sessionCookieHeaders(headersWith(cookie), addresses).get("cookie");
        expect(passedOn(`theme=dark; ${own}; vitrine_session=x`)).toBe(own);
        if (!isBlank(prefix)) expect(passedOn(`${prefix}${own}`)).toBeNull();
        expect(passedOn(`${own}; ${own}`)).toBeNull();
      }),
      { numRuns: runsOf(500) },
    ));
});
