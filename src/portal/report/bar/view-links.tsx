import { useEffect, useRef } from "react";
import type { View } from "../../app/report-search.ts";
import { Link } from "../../shared/link.tsx";
import { useReportAddress } from "../address.ts";
import classes from "./bar.module.css";

const VIEWS: readonly { tab: View | undefined; label: string }[] = [
  { tab: undefined, label: "Report" },
  { tab: "compare", label: "Compare" },
  { tab: "files", label: "Files" },
];

/** Otherwise the link of the report itself would count as active everywhere. */
const ALL_OF_ADDRESS = { exact: true, includeSearch: true, explicitUndefined: true };

/** Switches between the report, a comparison of its versions, and its files. */
export function ViewLinks() {
  const { reference, search, view } = useReportAddress();
  const nav = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // The control that led here may have been removed with its view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another view or version is shown
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (document.activeElement === document.body && !isFirst.current) current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [view, search.version]);
  return (
    <nav className={classes.views} aria-label="Views" ref={nav}>
      {VIEWS.map(({ tab, label }) => (
        <Link
          key={label}
          to="/r/$reference"
          params={{ reference }}
          search={{ version: search.version, tab }}
          className={classes.viewLink}
          aria-current={view === tab ? "page" : undefined}
          activeOptions={ALL_OF_ADDRESS}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
