import { ErrorCode, type GetPromptResult, type ListPromptsResult, McpError } from "@modelcontextprotocol/sdk/types.js";

type Arguments = Readonly<Record<string, string>>;

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required?: boolean }[];
  write(given: Arguments): string;
}

const RULES =
  "Write one self-contained index.html: styles, scripts and data in it or in files beside it, with relative paths, nothing from other hosts. Do not use cookies or localStorage. Make it readable on a phone, and without scripts if possible.";
const CHECK = "Fix what the warnings name, and check the result with read_report. Then give me the link.";

const PROMPTS_BY_NAME: readonly Prompt[] = [
  {
    name: "publish",
    title: "Publish a report",
    description: "Write a report on a topic and publish it.",
    arguments: [
      { name: "topic", description: "What the report is about.", required: true },
      { name: "name", description: "Name of the report, such as weekly-sales." },
    ],
    write: ({ topic, name }) =>
      `Write a report about: ${topic}\n\n${RULES} Publish it with publish_report${name === undefined ? "" : ` and the name ${JSON.stringify(name)}; if there is a report with that name, ask me whether this is its next version`}. Keep it private unless I say otherwise. ${CHECK}`,
  },
  {
    name: "update",
    title: "Update a report",
    description: "Publish a changed version of a report.",
    arguments: [
      { name: "report", description: "Name, link or title of the report.", required: true },
      { name: "change", description: "What to change.", required: true },
    ],
    write: ({ report, change }) =>
      `Update the report ${JSON.stringify(report)}: ${change}\n\nLook at its files with show_report, and read their source with read_report (as: source). Change only what this requires. ${RULES} Publish all files with publish_version, a note of what changed, and as expected_current_code the code that you read, so that no other change is lost. Compare with diff_versions. ${CHECK}`,
  },
  {
    name: "compare",
    title: "Compare versions",
    description: "Say what changed between two versions of a report.",
    arguments: [
      { name: "report", description: "Name, link or title of the report.", required: true },
      { name: "from", description: "Number of the older version (default: the one before)." },
      { name: "to", description: "Number of the newer version (default: the current one)." },
    ],
    write: ({ report, from, to }) =>
      `Compare ${to === undefined ? "the current version" : `version ${to}`} of the report ${JSON.stringify(report)} with ${from === undefined ? "the version before" : `version ${from}`}.\n\nUse diff_versions, for each changed file that readers see. Tell me in a few sentences what changed for a reader, first what matters most, with the figures before and after. Say so if only the source differs.`,
  },
  {
    name: "tidy",
    title: "Tidy a workspace",
    description: "Propose folders, tags and deletions for reports, and carry out what you approve.",
    arguments: [{ name: "workspace", description: "Slug of the workspace (default: your own)." }],
    write: ({ workspace }) =>
      `Tidy ${workspace === undefined ? "my workspace" : `the workspace ${workspace}`}.\n\nLook at its folders and tags with list_cabinet, and at unfiled and untagged reports with search_reports (folder: none, tags: none). Propose in one table which reports to file, tag, rename or delete, with the reason. Use labels that exist, and few new ones. Change nothing before I agree. Then use file_reports and tag_reports. Delete with delete_reports only what I named, after a dry run, and tell me how to restore it.`,
  },
];

export const PROMPTS: ListPromptsResult = {
  prompts: PROMPTS_BY_NAME.map(({ write: _, ...prompt }) => prompt),
};

/** Returns the messages of a prompt. Throws `McpError`. */
export function getPrompt(name: string, given: Arguments): GetPromptResult {
  const prompt = PROMPTS_BY_NAME.find((one) => one.name === name);
  if (prompt === undefined) {
    const known = PROMPTS_BY_NAME.map((one) => one.name).join(", ");
    throw new McpError(ErrorCode.InvalidParams, `Unknown prompt ${JSON.stringify(name)}. Available: ${known}.`);
  }
  const missing = prompt.arguments.find((one) => one.required && given[one.name] === undefined);
  if (missing !== undefined) throw new McpError(ErrorCode.InvalidParams, `The argument ${missing.name} is required.`);
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: prompt.write(given) } }],
  };
}
