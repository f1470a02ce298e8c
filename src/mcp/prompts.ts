import { ErrorCode, type GetPromptResult, type ListPromptsResult, McpError } from "@modelcontextprotocol/sdk/types.js";

const NAME = "publish_a_report";

export const PROMPTS: ListPromptsResult = {
  prompts: [
    {
      name: NAME,
      title: "Publish a report",
      description: "Write a report on a topic and publish it.",
      arguments: [
        { name: "topic", description: "Topic of the report.", required: true },
        {
          name: "name",
          description: "Name of the report, such as weekly-sales. Its live link always shows the latest version.",
        },
      ],
    },
  ],
};

/** Returns the messages of a prompt. Throws `McpError`. */
export function getPrompt(
  name: string,
  { topic, name: reportName }: Readonly<Record<string, string>>,
): GetPromptResult {
  if (name !== NAME) throw new McpError(ErrorCode.InvalidParams, `Unknown prompt "${name}". Available: ${NAME}.`);
  if (topic === undefined) throw new McpError(ErrorCode.InvalidParams, "The argument topic is required.");
  const publish =
    reportName === undefined
      ? "Publish it with publish_report."
      : `Publish it as "${reportName}": with publish_version if show_report finds that name, else with publish_report.`;
  const text = `Write a report about: ${topic}

Write one self-contained index.html. Put styles and scripts in it or in files beside it, with relative paths. Do not use cookies or localStorage. If possible, make it readable without scripts. ${publish} Keep it private unless I say otherwise. Fix what the warnings name, read the report back with read_report, and give me the link.`;
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
