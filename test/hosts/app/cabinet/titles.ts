import { expect } from "bun:test";
import { z } from "zod";
import type { Route } from "../../../../src/contract/model/route.ts";
import type { Scenario } from "../../../support/scenarios.ts";
import { casesOf } from "../cases.ts";

/** Candidates for titles of drawers, folders and tags: a description, the value sent, the value kept. */
const takenTitles: readonly [name: string, sent: string, kept: string][] = [
  ["blanks around it", " \t Sales  2026\n", "Sales  2026"],
  ["120 characters", "🗂".repeat(120), "🗂".repeat(120)],
  ["slashes", "A/B / C", "A/B / C"],
  ["letters of any script", "Verkäufe 売上 مرحبا", "Verkäufe 売上 مرحبا"],
];

/** Invalid titles: a description, the value sent, the error. */
export const refusedTitles: readonly [name: string, sent: unknown, error: string][] = [
  ["nothing", "", "title can't be empty."],
  ["white space only", " \u00a0\n", "title can't be empty."],
  ["121 characters", "🗂".repeat(121), "title must have at most 120 characters."],
  ["NUL", "a\0b", "title must be valid Unicode text without NUL characters."],
  ["a lone surrogate", "a\udc00", "title must be valid Unicode text without NUL characters."],
  ["a number", 7, "title must be a string, not a number."],
  ["no title", undefined, "title is required."],
  ["null", null, "title must be a string, not null."],
];

const titled = z.looseObject({ title: z.string() });

interface Made {
  /** The user and the workspace. */
  maker(): { owner: string; token: string };
  /** Returns all of the kind. */
  listed(): Promise<unknown>;
}

/** Returns cases that create drawers, folders or tags with all of these titles. */
export function casesOfTitles<R extends Route>({ maker, listed }: Made): Scenario[] {
  const wanted = casesOf<R>();
  const request = (title: unknown) => ({ token: maker().token, body: { owner: maker().owner, title } });
  return [
    ...takenTitles.map(([name, title, stored]) =>
      wanted({
        name: `titled with ${name}`,
        given: () => undefined,
        request: () => request(title),
        status: 200,
        check: (answer) => expect(titled.parse(answer).title).toBe(stored),
      }),
    ),
    ...refusedTitles.map(([name, title, error]) =>
      wanted({
        name: `titled with ${name}`,
        given: listed,
        request: () => request(title),
        status: 400,
        error,
        after: async (before) => expect(await listed()).toEqual(before),
      }),
    ),
  ];
}
