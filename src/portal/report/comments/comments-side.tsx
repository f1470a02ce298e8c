import { Drawer } from "@mantine/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import "../../../look/comments/comments.css";
import { createApiStore } from "../../../look/comments/client/api-store.ts";
import { type CommentPanel, createCommentPanel } from "../../../look/comments/client/panel.ts";
import { useReportAddress } from "../address.ts";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import type { Stage } from "../use-stage.ts";
import { usePhone } from "../use-width.ts";
import classes from "./comments.module.css";
import type { Comments } from "./use-comments.ts";

interface CommentsSideProps {
  item: Item;
  comments: Comments;
  stage: Stage;
  isSheet: boolean;
}

/** The comments beside the report; without room for them, in a sheet above. */
export function CommentsSide({ isSheet, ...parts }: CommentsSideProps) {
  const isPhone = usePhone();
  const { close } = parts.comments;
  if (!isSheet) {
    return (
      <aside className={classes.side}>
        <CommentsPart {...parts} />
      </aside>
    );
  }
  return (
    <Drawer
      opened
      onClose={close}
      withCloseButton={false}
      // The reader selects text in the report below.
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      classNames={{ body: classes.sheet ?? "" }}
      {...(isPhone ? ({ position: "bottom", size: "55dvh" } as const) : ({ position: "right", size: 360 } as const))}
      attributes={{ content: { "aria-label": "Comments" } }}
    >
      <CommentsPart {...parts} />
    </Drawer>
  );
}

function CommentsPart({ item, comments, stage }: Omit<CommentsSideProps, "isSheet">) {
  const root = useRef<HTMLDivElement>(null);
  const { code } = item;
  const [panel, setPanel] = useState<CommentPanel>();
  const { go, search } = useReportAddress();
  const shownCode = useShownCode(item);
  const readCode = useEffectEvent(() => shownCode);
  const show = useEffectEvent((version: string) => go({ version: version === code ? undefined : version }));
  const readThread = useEffectEvent(() => search.thread);
  const count = useEffectEvent(comments.setCounts);
  const close = useEffectEvent(comments.close);
  useEffect(() => {
    if (root.current === null) return;
    const created = createCommentPanel({
      root: root.current,
      store: createApiStore({ code, shownCode: () => readCode(), signInUrl: "/-/sign-in" }),
      thread: readThread(),
      showVersion: (version) => show(version),
      counted: (counts) => count(counts),
      close: () => close(),
    });
    setPanel(created);
    return created.stop;
  }, [code]);
  const { probe } = stage;
  useEffect(() => {
    if (panel === undefined || probe === undefined) return;
    const endConnected = probe.onConnected(() => panel.connect(probe.openReview));
    const endScroll = probe.onScroll(({ top }) => panel.reportScrolled(top));
    return () => {
      endConnected();
      endScroll();
    };
  }, [panel, probe]);
  return <div ref={root} className={classes.root} />;
}
