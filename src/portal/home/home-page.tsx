import { MissingState } from "../shared/states.tsx";
import { useWorkspace } from "../shared/use-account.ts";
import { HomeItems } from "./home-items.tsx";
import { describePlace } from "./place.ts";
import { Chips } from "./toolbar/chips.tsx";
import { Toolbar } from "./toolbar/toolbar.tsx";
import { useCabinet } from "./use-cabinet.ts";
import { type Home, useHome } from "./use-home.ts";
import { type ItemPages, useItemPages } from "./use-item-pages.ts";
import { useOwnItems } from "./use-own-items.ts";

/** The reports of a workspace, filtered by search, folder or tag. */
export function HomePage() {
  const home = useHome();
  const { place } = home.filter;
  if (useWorkspace(home.owner) === undefined) return <MissingState />;
  if (place !== undefined) return <OwnReports key={`${home.owner} ${place}`} home={home} place={place} />;
  return <Reports key={home.owner} home={home} />;
}

function Reports({ home }: { home: Home }) {
  return <Workspace home={home} pages={useItemPages(home.owner, home.filter)} />;
}

/** Recent or starred reports. */
function OwnReports({ home, place }: { home: Home; place: NonNullable<Home["filter"]["place"]> }) {
  return <Workspace home={home} pages={useOwnItems(home.owner, place)} />;
}

function Workspace({ home, pages }: { home: Home; pages: ItemPages }) {
  const { owner, filter } = home;
  const cabinet = useCabinet(owner);
  const { title, count } = describePlace(filter, cabinet);
  const isKnown = pages.status === "ready" && !pages.hasMore && !pages.isOutdated;
  return (
    <>
      <Toolbar home={home} cabinet={cabinet} title={title} count={isKnown ? pages.items.length : count} />
      <Chips home={home} cabinet={cabinet} />
      <HomeItems home={home} label={title ?? "Reports"} pages={pages} cabinet={cabinet} />
    </>
  );
}
