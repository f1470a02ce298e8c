import { Button, Menu, Text } from "@mantine/core";
import { IconCode } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { copyText } from "../../shared/copying.ts";
import { notifySuccess } from "../../shared/notify.ts";
import { useAccount } from "../../shared/use-account.ts";
import { useShownCode } from "../shown-version.tsx";
import type { Item, Report } from "../types.ts";
import classes from "./panel.module.css";

interface Snippet {
  label: string;
  text: string;
}

/** Menu that copies what programs need to read the version that is shown. */
export function DeveloperMenu({ item }: { item: Item }) {
  const { data: report } = useQuery(reportQuery(useShownCode(item)));
  const { content_url: contentUrl } = useAccount();
  return (
    <Menu position="top-start" width={320} withinPortal styles={{ itemLabel: { minWidth: 0 } }}>
      <Menu.Target>
        <Button
          variant="default"
          disabled={report === undefined}
          leftSection={<IconCode size={16} aria-hidden />}
          style={{ flex: "none" }}
        >
          Developer
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Click to copy</Menu.Label>
        {report !== undefined &&
          snippetsOf(report, contentUrl).map(({ label, text }) => (
            <Menu.Item key={label} onClick={() => void copySnippet(label, text)}>
              <Text size="sm">{label}</Text>
              <code className={classes.command}>{text}</code>
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function snippetsOf(report: Report, contentUrl: string): Snippet[] {
  const { code, version_no: number, size, files } = report;
  const page = files.find(({ path }) => path === "index.html");
  return [
    { label: "Fetch with curl", text: curlCommand(report, contentUrl) },
    { label: "MCP resource", text: `vitrine://report/${code}` },
    { label: `Code of version ${number}`, text: code },
    ...(page === undefined ? [] : [{ label: "SHA-256 of index.html", text: page.sha256 }]),
    { label: "Size in bytes", text: String(size) },
  ];
}

/** Returns a command that prints a version. */
function curlCommand({ code, visibility }: Report, contentUrl: string): string {
  const address = `${contentUrl}/${code}/`;
  return visibility === "public" ? `curl ${address}` : `curl -H "Authorization: Bearer $VITRINE_TOKEN" ${address}`;
}

async function copySnippet(label: string, text: string): Promise<void> {
  if (await copyText(text)) notifySuccess(`${label} copied`);
}
