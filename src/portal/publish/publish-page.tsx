import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { referenceText } from "../api/references.ts";
import { notifySuccess } from "../shared/notify.ts";
import { MissingState } from "../shared/states.tsx";
import { useWorkspace, type Workspace } from "../shared/use-account.ts";
import type { Details } from "./details-form.tsx";
import { Outcome } from "./outcome.tsx";
import { PublishForm } from "./publish-form.tsx";
import { LeaveGuard } from "./sending.tsx";
import type { Published } from "./upload.ts";
import { useDraft } from "./use-draft.ts";
import { usePublish } from "./use-publish.ts";

export function PublishPage() {
  const { owner } = useParams({ from: "/w/$owner/publish" });
  const { name = "" } = useSearch({ from: "/w/$owner/publish" });
  const workspace = useWorkspace(owner);
  if (workspace === undefined) return <MissingState />;
  return <Publishing key={`${owner} ${name}`} workspace={workspace} name={name} />;
}

/** Publishes a report, from choosing files to the result. */
function Publishing({ workspace, name }: { workspace: Workspace; name: string }) {
  const navigate = useNavigate();
  const sending = usePublish(workspace.slug);
  const [published, setPublished] = useState<Published>();
  const draft = useDraft({ isBusy: sending.isBusy, onAdded: () => setPublished(undefined) });
  const [details, setDetails] = useState<Details>({
    name,
    title: "",
    visibility: "private",
    needsStorage: false,
    folder: undefined,
  });

  function finish(report: Published): void {
    if (report.warnings.length > 0) {
      setPublished(report);
      return;
    }
    notifySuccess(report.name === undefined ? "Report published" : `“${report.name}” published`);
    void navigate({ to: "/r/$reference", params: { reference: referenceText(report) } });
  }

  if (published !== undefined) {
    const canPublishAgain = published.name !== undefined && workspace.plan !== "free";
    return <Outcome published={published} onAgain={canPublishAgain ? () => setPublished(undefined) : undefined} />;
  }
  return (
    <>
      <PublishForm
        workspace={workspace}
        draft={draft}
        sending={sending}
        details={details}
        onChange={(changed) => setDetails((before) => ({ ...before, ...changed }))}
        onPublished={finish}
      />
      <LeaveGuard isBusy={sending.isBusy} />
    </>
  );
}
