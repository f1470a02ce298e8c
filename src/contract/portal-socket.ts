import { z } from "zod";

/** What the server says over a page's socket. */
export const portalMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  z.object({
    type: z.literal("changed"),
    owner: z.string(),
    about: z.array(z.enum(["items", "cabinet", "members", "shortcuts", "settings"])),
  }),
  z.object({ type: z.literal("account") }),
  z.object({ type: z.literal("gone") }),
]);
