import { MissingState } from "../shared/states.tsx";
import { useWorkspace } from "../shared/use-account.ts";
import { HomeItems } from "./home-items.tsx";
import { describePlace } from "./place.ts";
import { Chips } from "./toolbar/chips.tsx";
import { Toolbar } from "./toolbar/toolbar.tsx";
import { useCabinet } from "./use-cabinet.ts";
import { useHome } from "./use-home.ts";
import { useItemPages } from "./use-item-pages.ts";

/** The reports of a workspace, filtered by search, folder or tag. */
export function HomePage() {
  const home = useHome();
  const isMember = useWorkspace(home.owner) !== undefined;
  return isMember ? <Workspace key={home.owner} home={home} /> : <MissingState />;
}

function Workspace({ home }: { home: ReturnType<typeof useHome> }) {
  const { owner, filter } = home;
  const pages = useItemPages(owner, filter);
  const cabinet = useCabinet(owner);
  const { title, count } = describePlace(filter, cabinet);
  const isKnown = pages.status === "ready" && !pages.hasMore && !pages.isOutdated;
  return (
    <>
      <Toolbar home={home} title={title} count={isKnown ? pages.items.length : count} />
      <Chips home={home} cabinet={cabinet} />
      <HomeItems home={home} label={title ?? "Reports"} pages={pages} cabinet={cabinet} />
    </>
  );
}
