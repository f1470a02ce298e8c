import { useQuery } from "@tanstack/react-query";
import { useMatch } from "@tanstack/react-router";
import { taxonomyQuery } from "../api/first-queries.ts";
import { ShareOnAddress } from "../sharing/share-on-address.tsx";
import { DropAnywhere } from "./drop-anywhere.tsx";
import { NewReportButton } from "./new-report-button.tsx";
import { SamplesNotice } from "./samples-notice.tsx";

/** What works on several pages: dropping, pasting and sharing reports, and, above the list, starting new ones. */
export function Anywhere({ owner }: { owner: string }) {
  const isHome = useMatch({ from: "/w/$owner", shouldThrow: false }) !== undefined;
  return (
    <>
      <DropAnywhere owner={owner} />
      <ShareOnAddress />
      {isHome && <NewReportButton owner={owner} />}
      {isHome && <Samples owner={owner} />}
    </>
  );
}

/** A workspace with more reports is past trying things out. */
const MAX_REPORTS = 20;

function Samples({ owner }: { owner: string }) {
  const { data: count = 0 } = useQuery({ ...taxonomyQuery(owner), select: ({ item_count }) => item_count });
  if (count === 0 || count > MAX_REPORTS) return null;
  return <SamplesNotice owner={owner} />;
}
