import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { referenceText } from "../api/references.ts";
import { describeCount } from "../shared/amounts.ts";
import { notifySuccess } from "../shared/notify.ts";
import { MissingState } from "../shared/states.tsx";
import { useWorkspace, type Workspace } from "../shared/use-account.ts";
import { type Details, newDetails } from "./details.ts";
import { type Outcome, PublishForm } from "./publish-form.tsx";
import { LeaveGuard } from "./sending.tsx";
import { useDraft } from "./use-draft.ts";
import { usePublish } from "./use-publish.ts";

export function PublishPage() {
  const { owner } = useParams({ from: "/w/$owner/publish" });
  const { name } = useSearch({ from: "/w/$owner/publish" });
  const workspace = useWorkspace(owner);
  if (workspace === undefined) return <MissingState />;
  return <Publishing key={`${owner} ${name ?? ""}`} workspace={workspace} name={name} />;
}

/** Publishes a report, from choosing files to sharing the result. */
function Publishing({ workspace, name }: { workspace: Workspace; name: string | undefined }) {
  const navigate = useNavigate();
  const sending = usePublish(workspace.slug);
  const draft = useDraft(sending.isBusy);
  const [details, setDetails] = useState<Details>(() => newDetails(name));

  function finish({ report, isCopied }: Outcome): void {
    notifySuccess(describeOutcome(report, isCopied));
    void navigate({ to: "/r/$reference", params: { reference: referenceText(report) }, search: { share: true } });
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

/** The warnings themselves are shown with the report. */
function describeOutcome({ nameUrl, warnings }: Outcome["report"], isCopied: boolean): string {
  const published = warnings.length === 0 ? "Published" : `Published with ${describeCount(warnings.length, "warning")}`;
  return isCopied ? `${published}. The ${nameUrl === undefined ? "version" : "live"} link is in your clipboard.` : published;
}
