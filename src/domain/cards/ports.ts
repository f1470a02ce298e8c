import type { LiveItem, LiveStore } from "../live/ports.ts";

export interface CardStore extends Pick<LiveStore, "findLiveByName"> {
  /** Returns a version and its report, named or not. */
  findLiveByCode(code: string): Promise<LiveItem | undefined>;
}
