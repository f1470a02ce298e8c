import { ErrorCode, type GetPromptResult, type ListPromptsResult, McpError } from "@modelcontextprotocol/sdk/types.js";

const NAME = "publish_a_report";

export const PROMPTS: ListPromptsResult = {
  prompts: [
    {
      name: NAME,
      title: "Publish a report",
      description: "Make a report of something and publish it.",
      arguments: [
        { name: "topic", description: "What the report is about.", required: true },
        { name: "name", description: "Name whose live link always shows the latest version, such as weekly-sales." },
      ],
    },
  ],
};

/** Throws `McpError`. */
export function getPrompt(
  name: string,
  { topic, name: reportName }: Readonly<Record<string, string>>,
): GetPromptResult {
  if (name !== NAME) throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${name}".`);
  if (topic === undefined) throw new McpError(ErrorCode.InvalidParams, "The argument topic is missing.");
  const publish =
    reportName === undefined
      ? "Publish it with publish_report."
      : `Publish it as "${reportName}": with publish_version if show_report finds that name, else with publish_report.`;
  const text = `Make a report about: ${topic}

Write one self-contained index.html: styles and scripts in it or in files beside it, with relative paths; no cookies and no localStorage; readable without scripts where that is possible. ${publish} Leave it private unless I say otherwise. Mend what the answer's warnings say, read it back with read_report, and give me the link.`;
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
