import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newCode } from "../../../src/domain/model/codes.ts";
import { sessionRef } from "../../../src/domain/people/sessions.ts";
import { createTickets } from "../../../src/domain/private-links/tickets.ts";
import { random } from "../../support/service.ts";

const HOUR = 60 * 60_000;
const START = Date.UTC(2026, 0, 1);
const secret = "0123456789abcdef0123456789abcdef";

function setUp(key = secret) {
  const clock = { time: START, now: () => clock.time };
  return { clock, tickets: createTickets({ secret: key, clock }) };
}

const code = newCode(random);
const session = { ref: sessionRef("ses_a"), expiresAt: START + 1_000 * HOUR };

describe("a ticket", () => {
  test("contains its session and is valid for its code", () => {
    const { tickets } = setUp();
    const ticket = tickets.issue(code, session);
    expect(ticket).toMatch(/^~1\.\d{10}\.[\w-]{24}\.[\w-]{43}$/);
    expect(tickets.verify(ticket, code)?.ref).toBe(session.ref);
  });

  test("opens no other code", () => {
    const { tickets } = setUp();
    expect(tickets.verify(tickets.issue(code, session), newCode(random))).toBeUndefined();
  });

  test("is valid for eight hours", () => {
    const { tickets, clock } = setUp();
    const ticket = tickets.issue(code, session);
    clock.time = START + 8 * HOUR - 1;
    expect(tickets.verify(ticket, code)?.ref).toBe(session.ref);
    clock.time = START + 8 * HOUR;
    expect(tickets.verify(ticket, code)).toBeUndefined();
  });

  test("ends with its session at the latest", () => {
    const { tickets, clock } = setUp();
    const ticket = tickets.issue(code, { ...session, expiresAt: START + HOUR });
    clock.time = START + HOUR;
    expect(tickets.verify(ticket, code)).toBeUndefined();
  });

  test("is invalid with another secret", () => {
    const ticket = setUp(`${secret}x`).tickets.issue(code, session);
    expect(setUp().tickets.verify(ticket, code)).toBeUndefined();
  });

  test("is invalid if any character changes", () => {
    const { tickets } = setUp();
    const ticket = tickets.issue(code, session);
    const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.~=";
    for (let position = 0; position < ticket.length; position++) {
      for (const character of characters) {
        const changed = ticket.slice(0, position) + character + ticket.slice(position + 1);
        if (changed !== ticket) expect(tickets.verify(changed, code)).toBeUndefined();
      }
    }
  });

  test("can't be assembled from parts of others, or be anything else", () => {
    const { tickets } = setUp();
    const [, expiry, , mac] = tickets.issue(code, session).split(".");
    const other = tickets.issue(newCode(random), { ...session, ref: sessionRef("ses_b") }).split(".");
    expect(tickets.verify(["~1", expiry, other[2], mac].join("."), code)).toBeUndefined();
    expect(tickets.verify(["~1", expiry, session.ref, other[3]].join("."), code)).toBeUndefined();
    expect(tickets.verify(["~1", `${expiry}0`, session.ref, mac].join("."), code)).toBeUndefined();
    expect(tickets.verify(["~2", expiry, session.ref, mac].join("."), code)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => expect(tickets.verify(text, code)).toBeUndefined()));
    fc.assert(fc.property(fc.string(), (text) => expect(tickets.verify(`~1.${text}`, code)).toBeUndefined()));
  });
});
