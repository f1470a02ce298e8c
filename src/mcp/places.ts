import { z } from "zod";
import { ToolError } from "./tool-error.ts";

/** A place in the results of one workspace: a page and what was taken of it. */
export interface Place {
  cursor: string | undefined;
  taken: number;
}

export type Places = ReadonlyMap<string, Place>;

const placeList = z.array(z.tuple([z.string(), z.string().nullable(), z.int().min(0)])).max(1000);

/** Returns places as one text. */
export const encodePlaces = (places: Places): string =>
  Buffer.from(JSON.stringify([...places].map(([owner, { cursor, taken }]) => [owner, cursor ?? null, taken]))).toString(
    "base64url",
  );

/** Throws `ToolError` for a text that is not one of `encodePlaces`. */
export function decodePlaces(text: string): Places {
  try {
    const list = placeList.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return new Map(list.map(([owner, cursor, taken]) => [owner, { cursor: cursor ?? undefined, taken }]));
  } catch {
    throw new ToolError("cursor isn't valid. Pass the next_cursor of the previous page, or leave it out.");
  }
}
