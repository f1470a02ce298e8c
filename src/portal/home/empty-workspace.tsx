import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconClipboard, IconFileUpload, IconSparkles } from "@tabler/icons-react";
import { useRef } from "react";
import { addSamplesRoute } from "../../client/routes.ts";
import { usePublishFiles } from "../publish/use-publish-files.ts";
import { AnchorLink, ButtonLink } from "../shared/link.tsx";
import { useCall } from "../shared/use-call.ts";
import styles from "./empty-workspace.module.css";

/** Shown in a workspace without reports: the ways to get one. */
export function EmptyWorkspace({ owner }: { owner: string }) {
  return (
    <Stack maw={720} mx="auto" pt={{ base: "md", sm: "xl" }} gap="lg" align="center">
      <Stack gap={4} ta="center">
        <Title order={2} size="h2">
          Publish your first report
        </Title>
        <Text c="dimmed">A report is an HTML page with its files. Its live link always shows the current version.</Text>
      </Stack>
      <DropTarget owner={owner} />
      <Samples owner={owner} />
      <Text size="sm" c="dimmed" ta="center">
        Publishing from scripts, CI or an agent?{" "}
        <AnchorLink to="/connect" inherit underline="always">
          Connect it with one command
        </AnchorLink>
      </Text>
    </Stack>
  );
}

function DropTarget({ owner }: { owner: string }) {
  const input = useRef<HTMLInputElement>(null);
  const publishFiles = usePublishFiles(owner);
  return (
    <div className={styles.target}>
      <IconFileUpload size={36} aria-hidden className={styles.icon} />
      <Text fw={500} size="lg" visibleFrom="sm">
        Drop an HTML file, a folder or a zip archive here
      </Text>
      <Text fw={500} size="lg" hiddenFrom="sm">
        Choose an HTML file or a zip archive
      </Text>
      <Group gap="xs" justify="center">
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => publishFiles([...(currentTarget.files ?? [])])}
        />
        <Button onClick={() => input.current?.click()}>Choose files</Button>
        <ButtonLink
          to="/w/$owner/publish"
          params={{ owner }}
          variant="default"
          leftSection={<IconClipboard size={16} aria-hidden />}
        >
          Paste HTML
        </ButtonLink>
      </Group>
    </div>
  );
}

function Samples({ owner }: { owner: string }) {
  const call = useCall(addSamplesRoute, { owner, about: ["items"], failure: "Couldn't add the sample reports" });
  return (
    <Group gap="sm" justify="center">
      <Text size="sm">Nothing at hand?</Text>
      <Button
        variant="light"
        size="xs"
        leftSection={<IconSparkles size={16} aria-hidden />}
        loading={call.isPending}
        onClick={() => call.mutate({ owner })}
      >
        Try with sample reports
      </Button>
    </Group>
  );
}
