import type { WorkspacePart } from "./entities.ts";

/** What changed, told to every part of this process before the call that made it is answered. */
export type ChangeEvent =
  | { kind: "versionsChanged"; codes: readonly string[] }
  /** A group or standalone report: anything that is shown of it, or it is new or gone. */
  | {
      kind: "itemChanged";
      itemId: number;
      workspaceId: string;
      /** It is new, or has a new version, and nothing is taken from anybody: it need not wait to be `settled`. */
      isAddition?: boolean | undefined;
    }
  /** Drawers, folders and tags; members and invitations; the workspace's own name and choices. */
  | { kind: "workspaceChanged"; workspaceId: string; about: Exclude<WorkspacePart, "items" | "shortcuts"> }
  /** What one user keeps at hand in a workspace, which is nobody else's business. */
  | { kind: "workspaceChanged"; workspaceId: string; about: "shortcuts"; userId: string }
  /** What is one person's alone, in whatever workspace: profile, tokens, sessions, where they belong. */
  | { kind: "accountChanged"; userId: string }
  | { kind: "published"; code: string }
  | { kind: "sessionsEnded"; userId: string }
  /** A user has joined or left an organization, or has another role in it; their own workspace is named too. */
  | { kind: "membershipChanged"; userId: string; workspaceId: string; ownWorkspaceId: string }
  | { kind: "compressed"; code: string }
  /** Changes may have been made elsewhere that nobody here was told of: whatever is remembered may be old. */
  | { kind: "missed" }
  /** For a while nothing is heard of what other copies change: whoever is to be told of it has to go elsewhere. */
  | { kind: "interrupted" };

export interface Events {
  /** Every listener of this process has run when it returns. */
  publish(event: ChangeEvent): void;
  /** Returns what ends the subscription. */
  subscribe(listener: (event: ChangeEvent) => void): () => void;
  /**
   * Resolves when every copy of the program knows what was published so far, additions apart, or can no longer rely on
   * what it remembers instead; undefined when that is so already. Rejects with `Unavailable` when the others cannot be told.
   */
  settled(): Promise<void> | undefined;
  /** Whether this copy hears what others change. */
  isHearing(): boolean;
}

/** Numbers by keys. */
export type Facts = readonly (readonly [key: string, value: number])[];

export type FactsListener = (facts: Facts, from: string) => readonly number[];

/** What copies of the program tell each other by the way, such as what they have counted. What is lost is lost. */
export interface Gossip {
  readonly ownId: string;
  /**
   * Tells every copy, this one included, and all hear everything that is told in one order. Resolves to what the listener
   * of this copy returns, or to undefined when it has come to hear nothing.
   */
  tell(topic: string, facts: Facts): Promise<readonly number[] | undefined>;
  listen(topic: string, listener: FactsListener): void;
  /** Told when there is a copy that may not have heard what was told so far. */
  whenJoined(listener: () => void): void;
  whenGone(listener: (copy: string) => void): void;
}
