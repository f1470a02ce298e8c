import { z } from "zod";
import { createGuestLinkRoute, revokeGuestLinkRoute } from "../../client/routes.ts";
import { findReport } from "../references.ts";
import { REPORT_ALIASES, report } from "../schemas.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";

const created = z.object({ id: z.string(), url: z.string() });

const createGuestLink = defineTool({
  name: "create_guest_link",
  title: "Create a guest link",
  description:
    "Create a link with which ANYONE can read a report, even a private one, without an account. It is shown once. Ask the user first.",
  annotations: { ...ARRANGES, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    report,
    label: z.string().max(120).optional().describe("What it's for."),
    expires_at: z.string().optional().describe("Such as 2026-12-31."),
    password: z.string().max(1000).optional().describe("At least 10 characters."),
    embed_origins: z.array(z.string()).max(20).optional().describe("Sites that may embed it."),
    comments: z.boolean().optional().describe("Let guests comment."),
    preview: z.boolean().optional().describe("Let chats show its title."),
  }),
  aliases: REPORT_ALIASES,
  output: created,
  async run({ report: text, ...rest }, { client }) {
    const { reference, versionCode } = await findReport(client, text);
    const body = { ...rest, ...(versionCode === undefined ? reference : { code: versionCode }) };
    const data = await client.call(createGuestLinkRoute, { body });
    return { data, text: `Anyone with this link can read ${text}: ${data.url} (ID ${data.id})` };
  },
});

const revokeGuestLink = defineTool({
  name: "revoke_guest_link",
  title: "Revoke a guest link",
  description: "End a guest link immediately, also for guests who have it open. This can't be undone.",
  annotations: DESTROYS,
  input: z.strictObject({ id: z.string().max(1000).describe("From create_guest_link.") }),
  output: z.object({ id: z.string() }),
  async run({ id }, { client }) {
    await client.call(revokeGuestLinkRoute, { body: { id } });
    return { data: { id }, text: `Revoked ${id}.` };
  },
});

export const sharingTools: readonly McpTool[] = [createGuestLink, revokeGuestLink];
