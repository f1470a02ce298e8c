import * as z from "zod";
import { text } from "../model/common.ts";

/** What the routes of operators have in common. */
export const ADMINISTERS = { scope: null, credential: "session", isForOperators: true } as const;

export const cursor = text(1000).optional().meta({ description: "The `next_cursor` of the previous page." });
export const nextCursor = z.string().nullable().meta({ description: "The cursor of the next page. Null at the end." });

export const requestedUser = text(1000).meta({ description: "The user's slug.", examples: ["ada"] });
