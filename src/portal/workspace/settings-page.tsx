import { Code, Stack } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { DisplayNameForm } from "../shared/display-name-form.tsx";
import { Fact, Facts } from "../shared/facts.tsx";
import { Page, Section } from "../shared/page.tsx";
import { canManage } from "../shared/roles.ts";
import { MissingState } from "../shared/states.tsx";
import { useWorkspace, type Workspace } from "../shared/use-account.ts";
import { DefaultFolderSection } from "./default-folder-section.tsx";
import { DefaultVisibilitySection } from "./default-visibility-section.tsx";
import { PlanSection } from "./plan-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { SeenBySection } from "./seen-by-section.tsx";
import { WorkspaceNav } from "./workspace-nav.tsx";

/** The workspace's name, plan, and defaults for new reports. */
export function SettingsPage() {
  const { owner } = useParams({ from: "/w/$owner/settings" });
  const workspace = useWorkspace(owner);
  if (workspace === undefined) return <MissingState />;
  return (
    <Page
      title="Workspace settings"
      tab={`Settings of ${workspace.display_name ?? owner}`}
      nav={<WorkspaceNav owner={owner} />}
    >
      <NameSection workspace={workspace} />
      <PlanSection workspace={workspace} />
      <DefaultFolderSection workspace={workspace} />
      {workspace.kind === "org" && <DefaultVisibilitySection workspace={workspace} />}
      <RetentionSection workspace={workspace} />
      <SeenBySection workspace={workspace} />
    </Page>
  );
}

function NameSection({ workspace: { slug, kind, display_name, role } }: { workspace: Workspace }) {
  return (
    <Section title="General">
      <Stack gap="lg">
        {canManage(role) && (
          <DisplayNameForm
            owner={slug}
            name={display_name ?? ""}
            description={kind === "user" ? "How others see you." : "Shown to its members and readers."}
            autoComplete={kind === "user" ? "name" : "off"}
          />
        )}
        <Facts>
          {!canManage(role) && <Fact name="Name">{display_name ?? slug}</Fact>}
          <Fact name="Short name">
            <Code fz="sm">{slug}</Code>
          </Fact>
          <Fact name="Kind">{kind === "user" ? "Personal workspace" : "Organization"}</Fact>
        </Facts>
      </Stack>
    </Section>
  );
}
