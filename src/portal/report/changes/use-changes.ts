import { useState } from "react";
import type { LookedVersion } from "../../../look/changes/client/last-looked.ts";
import { useKeys } from "../../shared/keyboard.ts";

/** What is new since another version, in one line. */
export interface News {
  from: LookedVersion;
  text: string;
}

/** What the report page says about changes. */
export interface Changes {
  /** The version with which the report is compared; undefined while the page shows no changes. */
  from: LookedVersion | undefined;
  news: News | undefined;
  /** Shows the changes that the news are about. */
  show(): void;
  /** Hides them again, and the news. */
  close(): void;
  offer(news: News | undefined): void;
}

export function useChanges(): Changes {
  const [from, setFrom] = useState<LookedVersion>();
  const [news, offer] = useState<News>();
  const show = () => (news === undefined || from !== undefined ? false : setFrom(news.from));
  const close = () => {
    setFrom(undefined);
    offer(undefined);
  };
  useKeys({ j: show, k: show });
  return { from, news, show, close, offer };
}
