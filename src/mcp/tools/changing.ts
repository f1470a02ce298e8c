import { z } from "zod";
import { itemRoute, renameRoute, reportRoute, setTitleRoute } from "../../client/routes.ts";
import { audience, findAudience, people, setAudience, sharePeople } from "../audience.ts";
import { quoteTitle } from "../fence.ts";
import { describeReaders, readers, readersOf } from "../readers.ts";
import { findReport } from "../references.ts";
import { name, REPORT_ALIASES, report, visibility } from "../schemas.ts";
import { ARRANGES, DESTROYS, defineTool, type McpTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const setVisibility = defineTool({
  name: "set_visibility",
  title: "Change who can read a report",
  description:
    "Change who can read a report with all its versions (a version's code: only that one). Ask the user before you share anything.",
  annotations: { ...ARRANGES, openWorldHint: true },
  input: z
    .strictObject({
      report,
      audience,
      add_people: people.describe("Email addresses."),
      remove_people: people,
    })
    .refine(
      ({ audience: given, add_people: add, remove_people: remove }) =>
        given !== undefined || add !== undefined || remove !== undefined,
      "pass audience, add_people or remove_people; show_report says who can read it",
    ),
  aliases: { ...REPORT_ALIASES, visibility: "audience" },
  output: z.object({ visibility, url: z.string(), ...readers.partial().shape }),
  async run({ report: text, audience: label, add_people: add, remove_people: remove }, { client, now }) {
    const chosen = label === undefined ? undefined : await findAudience(client, label);
    const { reference, versionCode } = await findReport(client, text);
    const target = versionCode === undefined ? reference : { code: versionCode };
    if (chosen !== undefined) await setAudience(client, target, chosen);
    if (add !== undefined || remove !== undefined) await sharePeople(client, target, { add, remove });
    // Its links depend on its audience.
    const item = await client.call(itemRoute, { query: reference });
    const version =
      versionCode === undefined ? undefined : await client.call(reportRoute, { query: { code: versionCode } });
    const shown = version ?? item;
    const url = version?.url ?? item.live_url ?? item.url;
    const who = await readersOf(client, item, { versionCode, now: now() });
    const isStillShared = who !== undefined && who.people.length + who.guest_links.length > 0;
    const lines = [
      `${text} is ${chosen === undefined ? "" : "now "}${shown.visibility}.`,
      ...(who === undefined ? [] : [describeReaders(who)]),
      ...(chosen?.visibility === "private" && isStillShared
        ? ["To end that too, use remove_people and revoke_guest_link."]
        : []),
      `Link: ${url}`,
    ];
    return { data: { visibility: shown.visibility, url, ...who }, text: lines.join("\n") };
  },
});

const renameReport = defineTool({
  name: "rename_report",
  title: "Rename a report",
  description:
    "Change the name of a report, and with it the live link (the old one stops working; version links stay), or its title.",
  annotations: { ...DESTROYS, idempotentHint: false },
  input: z
    .strictObject({
      report,
      new_name: z.string().max(1000).optional().describe("Lowercase letters, digits and hyphens; not in use yet."),
      new_title: z.string().max(300).optional().describe('Stays for new versions; "" resets it.'),
    })
    // Both at once could end half done.
    .refine(
      ({ new_name: newName, new_title: newTitle }) => (newName === undefined) !== (newTitle === undefined),
      "pass either new_name or new_title",
    ),
  aliases: REPORT_ALIASES,
  output: z.object({ name, title: z.string() }).partial(),
  async run({ report: text, new_name: newName, new_title: newTitle }, { client }) {
    const { item, reference } = await findReport(client, text);
    if (newTitle !== undefined) {
      const body = { ...reference, title: newTitle.trim() === "" ? null : newTitle };
      const { title } = await client.call(setTitleRoute, { body });
      return { data: { title }, text: `The title is now ${quoteTitle(title)}.` };
    }
    if (item.name === undefined) {
      throw new ToolError(`${item.code} has no name. Publish it again with publish_report and a name.`);
    }
    const data = await client.call(renameRoute, { body: { name: item.name, newName: newName ?? "" } });
    const { live_url: url = "" } = await client.call(itemRoute, { query: data });
    return { data, text: `Renamed ${item.name} to ${data.name}. Its live link is now ${url}` };
  },
});

export const changingTools: readonly McpTool[] = [setVisibility, renameReport];
