import { z } from "zod";
import { ApiError } from "../../client/client.ts";
import { createGuestLinkRoute, revokeGuestLinkRoute } from "../../client/routes.ts";
import { describeGuestLink, guestLink, readersOf } from "../readers.ts";
import { findReport } from "../references.ts";
import { REPORT_ALIASES, report } from "../schemas.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const created = z.object({ url: z.string(), ...guestLink.partial().shape, id: z.string() });

const createGuestLink = defineTool({
  name: "create_guest_link",
  title: "Create a guest link",
  description:
    "Create a link with which ANYONE can read a report, even a private one, without an account. It is shown once. Ask the user first.",
  annotations: { ...ARRANGES, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    report,
    label: z.string().max(120).optional(),
    expires_at: z.string().optional().describe("Such as 2026-12-31, until its end (UTC)."),
    password: z.string().max(1000).optional().describe("At least 10 characters."),
    embed_origins: z.array(z.string()).max(20).optional().describe("Sites that may embed it."),
    comments: z.boolean().optional().describe("Let guests comment."),
    preview: z.boolean().optional().describe("Let chats show its title."),
  }),
  aliases: REPORT_ALIASES,
  output: created,
  async run({ report: text, ...rest }, { client, now }) {
    const { item, reference, versionCode } = await findReport(client, text);
    const body = { ...rest, ...(versionCode === undefined ? reference : { code: versionCode }) };
    const data = await client.call(createGuestLinkRoute, { body });
    // What the server keeps, so that the user can rely on the answer.
    const kept = (await readersOf(client, item, { now: now() }))?.guest_links.find(({ id }) => id === data.id);
    const who = rest.password === undefined ? "Anyone with this link" : "Anyone with this link and its password";
    const about = kept === undefined ? `ID ${data.id}` : describeGuestLink(kept);
    return {
      data: { ...kept, ...data },
      text: `${who} can read ${text}: ${data.url}\nThe link is shown only now. revoke_guest_link ends it: ${about}`,
    };
  },
});

const revokeGuestLink = defineTool({
  name: "revoke_guest_link",
  title: "Revoke a guest link",
  description: "End a guest link immediately, also for guests who have it open. This can't be undone.",
  annotations: DESTROYS,
  input: z.strictObject({ id: z.string().max(1000).describe("See show_report.") }),
  output: z.object({ id: z.string() }),
  async run({ id }, { client }) {
    await client.call(revokeGuestLinkRoute, { body: { id } }).catch((error) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      throw new ToolError(`${error.message} show_report lists the guest links of a report with their IDs.`);
    });
    return { data: { id }, text: `Revoked guest link ${id}. It no longer opens the report.` };
  },
});

export const sharingTools: readonly McpTool[] = [createGuestLink, revokeGuestLink];
