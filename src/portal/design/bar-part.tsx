import { Box } from "@mantine/core";
import { useEffect, useRef } from "react";
import "../../look/bar/bar.css";
import { startBar } from "../../look/bar/client/bar.ts";
import { barHtml } from "../../look/bar/markup.ts";

const VERSIONS = [3, 2, 1].map((number) => ({
  code: `version${number}`,
  version_no: number,
  title: "Weekly sales",
  created_at: "2026-11-22T09:00:00Z",
}));

export function BarPart() {
  const place = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [newest] = VERSIONS;
    if (place.current === null || stage.current === null || newest === undefined) return;
    place.current.innerHTML = barHtml({
      ...{ title: newest.title, publisher: { slug: "ada", name: "Ada Berg" }, versionNo: 3, heading: "h2" },
      ...{ createdAt: newest.created_at, isLive: true, share: "#" },
    });
    const root = place.current.querySelector<HTMLElement>(".reader-bar");
    if (root === null) return;
    const state = { shown: newest, current: newest, isPaused: false };
    const bar = startBar({
      ...{ root, stage: () => stage.current, state, ownsPage: false },
      loadVersions: async () => ({ versions: VERSIONS, complete: true }),
      choose(shown) {
        bar.update({ ...state, shown, isPaused: true });
      },
      updates: {
        follow() {
          bar.update(state);
        },
        pause() {
          bar.update({ ...state, isPaused: true });
        },
      },
      link: () => location.href,
    });
    return bar.stop;
  }, []);
  return (
    <Box p={8} bg="var(--ground)" style={{ borderRadius: "var(--radius-lg)" }}>
      <div ref={place} />
      <Box ref={stage} h={160} bg="white" bd="1px solid var(--line)" style={{ borderRadius: "var(--radius-lg)" }} />
    </Box>
  );
}
