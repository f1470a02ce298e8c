import { Skeleton } from "@mantine/core";
import { IconEqual } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useRef } from "react";
import type { ChangeEntry } from "../../../client/routes.ts";
import { describeChange, sentenceOf } from "../../../html/changes/markdown.ts";
import { ErrorState, Notice } from "../../shared/states.tsx";
import { changesQuery } from "../changes/changes-query.ts";
import type { FoundChanges } from "../changes/rendered-changes.ts";
import report from "../report.module.css";
import type { Report } from "../types.ts";
import classes from "./compare-changes.module.css";
import { PictureComparison } from "./picture-comparison.tsx";
import { changedPicturesQuery, type PicturePair } from "./picture-queries.ts";

/** Lists what readers see as changed. The keys J and K step through the list. */
export function CompareChanges({ before, after }: { before: Report; after: Report }) {
  const { data, error, refetch } = useQuery(changesQuery(before.code, after.code));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton className={report.stage} />;
  const note =
    data.drawn_by_scripts && !data.rendered
      ? "Scripts draw parts of this page, so there may be more changes. Compare the pages side by side to see them."
      : undefined;
  if (data.total === 0) {
    return (
      <Notice icon={<IconEqual />} title="No changes">
        {note ?? "Readers see the same in both versions."}
      </Notice>
    );
  }
  return (
    <section className={classes.changes} aria-label="Changes">
      <p className={classes.summary}>{data.summary}</p>
      {note !== undefined && <p className={classes.note}>{note}</p>}
      <ChangeList found={data} />
      {data.truncated && (
        <p className={classes.note}>
          Showing {data.changes.length} of {data.total} changes.
        </p>
      )}
    </section>
  );
}

function ChangeList({ found }: { found: FoundChanges }) {
  const list = useRef<HTMLOListElement>(null);
  const { data: pictures } = useQuery(changedPicturesQuery(found));

  function step(event: KeyboardEvent) {
    const by = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = [...(list.current?.children ?? [])];
    const next = items[items.findIndex((item) => item === document.activeElement) + by];
    if (next instanceof HTMLElement) next.focus();
  }

  return (
    <ol ref={list} className={classes.list} onKeyDown={step}>
      {found.changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index} className={classes.change} tabIndex={index === 0 ? 0 : -1}>
          <ChangeLine change={change} previous={found.changes[index - 1]} picture={pictures?.get(index)} />
        </li>
      ))}
    </ol>
  );
}

interface ChangeLineProps {
  change: ChangeEntry;
  previous: ChangeEntry | undefined;
  picture: PicturePair | undefined;
}

/** Names the heading only where another begins, and a number or text together with the sentence that it is in. */
function ChangeLine({ change, previous, picture }: ChangeLineProps) {
  const heading = change.headings.join(" › ");
  const sentence = sentenceOf(change);
  return (
    <>
      {heading !== (previous?.headings.join(" › ") ?? "") && <span className={classes.heading}>{heading}</span>}
      <span>{describeChange(change)}</span>
      {sentence !== "" && <span className={classes.sentence}>{sentence}</span>}
      {picture !== undefined && <PictureComparison pair={picture} />}
    </>
  );
}
