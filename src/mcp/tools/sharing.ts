import { z } from "zod";
import { createGuestLinkRoute, revokeGuestLinkRoute } from "../../client/routes.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../schemas.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";

const created = z.object({ id: z.string(), url: z.string() });

const createGuestLink = defineTool({
  name: "create_guest_link",
  title: "Create a guest link",
  description:
    "Create a link with which ANYONE who has it can read a report, also a private one, without an account. A name shares the current version at any time, a code only that version. The link is only shown once. Ask the user before you share anything.",
  annotations: { ...ARRANGES, idempotentHint: false, openWorldHint: true },
  input: z
    .strictObject({
      ...reference,
      label: z.string().max(120).optional().describe("What the link is for."),
      expires_at: z.string().optional().describe("Date or time at which the link stops working, such as 2026-12-31."),
      password: z
        .string()
        .max(1000)
        .optional()
        .describe("A password that guests have to enter: 10 characters or more."),
      embed_origins: z
        .array(z.string())
        .max(20)
        .optional()
        .describe("Origins of sites that may embed the link, such as https://www.notion.so."),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  output: created,
  async run(body, { client }) {
    const data = await client.call(createGuestLinkRoute, { body });
    return { data, text: `Anyone with this link can read ${body.name ?? body.code}: ${data.url} (ID ${data.id})` };
  },
});

const revokeGuestLink = defineTool({
  name: "revoke_guest_link",
  title: "Revoke a guest link",
  description: "End a guest link immediately, also for guests who have it open. This can't be undone.",
  annotations: DESTROYS,
  input: z.strictObject({ id: z.string().max(1000).describe("The ID of the guest link.") }),
  output: z.object({ id: z.string() }),
  async run({ id }, { client }) {
    await client.call(revokeGuestLinkRoute, { body: { id } });
    return { data: { id }, text: `Revoked ${id}.` };
  },
});

export const sharingTools: readonly McpTool[] = [createGuestLink, revokeGuestLink];
