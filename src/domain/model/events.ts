import type { WorkspacePart } from "./entities.ts";

/** A change, published to every listener of this process before the request that made it is answered. */
export type ChangeEvent =
  | { kind: "versionsChanged"; codes: readonly string[] }
  /** A report was published, changed or deleted. */
  | {
      kind: "itemChanged";
      itemId: number;
      workspaceId: string;
      /** Whether a report or version was added. This revokes no access, so it needn't be `settled`. */
      isAddition?: boolean | undefined;
    }
  /** Drawers, folders or tags, members or invitations, or settings of a workspace changed. */
  | { kind: "workspaceChanged"; workspaceId: string; about: Exclude<WorkspacePart, "items" | "shortcuts"> }
  /** The shortcuts of one user changed, which only that user may know. */
  | { kind: "workspaceChanged"; workspaceId: string; about: "shortcuts"; userId: string }
  /** The profile, access tokens, sessions or memberships of one user changed. */
  | { kind: "accountChanged"; userId: string }
  | { kind: "published"; code: string }
  | { kind: "sessionsEnded"; userId: string }
  /** Threads of a report changed. Says nothing else, so that listeners look up what each reader may see. */
  | { kind: "commentsChanged"; itemId: number }
  /** A guest link was revoked, or ends at another time. */
  | { kind: "guestLinkChanged"; linkId: string }
  /** A user joined or left an organization, or got another role in it. */
  | { kind: "membershipChanged"; userId: string; workspaceId: string; ownWorkspaceId: string }
  | { kind: "compressed"; code: string }
  /** This replica may have missed changes of other replicas, so everything it caches may be stale. */
  | { kind: "missed" }
  /** This replica doesn't hear others for a while, so clients that wait for changes have to connect elsewhere. */
  | { kind: "interrupted" };

export interface Events {
  /** Runs every listener of this process before it returns. */
  publish(event: ChangeEvent): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: ChangeEvent) => void): () => void;
  /**
   * Resolves when every replica has received the events published so far, except additions, or stopped using its
   * cache. Returns undefined if that is so already. Rejects with `Unavailable` if other replicas can't be reached.
   */
  settled(): Promise<void> | undefined;
  /** Returns whether this replica receives the events of others. */
  isHearing(): boolean;
}

/** Numbers by keys. */
export type Facts = readonly (readonly [key: string, value: number])[];

export type FactsListener = (facts: Facts, from: string) => readonly number[];

/** Exchanges facts between replicas, such as rate-limit counts. Lost messages are not repeated. */
export interface Gossip {
  readonly ownId: string;
  /**
   * Sends facts to every replica, this one included. All replicas receive all facts in one order. Resolves to what this
   * replica's listener returns, or to undefined if this replica doesn't receive them.
   */
  tell(topic: string, facts: Facts): Promise<readonly number[] | undefined>;
  listen(topic: string, listener: FactsListener): void;
  /** Calls the listener when a replica appears that may have missed earlier facts. */
  whenJoined(listener: () => void): void;
  whenGone(listener: (replica: string) => void): void;
}
