import * as z from "zod";
import { text } from "../model/common.ts";

/** What the page of a guest link sends to open it. */
export const guestProof = z.object({
  password: text(1000).optional(),
  email: text(254).optional(),
  code: text(20).optional(),
});

/** What the page of a guest link sends to get a one-time code. */
export const guestAddress = z.object({ email: text(254) });
