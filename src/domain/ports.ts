import type { BatchStore, CabinetStore, ShortcutStore, TagStore } from "./cabinet/ports.ts";
import type { LiveStore } from "./live/ports.ts";
import type { InstallationStore, ProbeStore, SweepStore } from "./operations/ports.ts";
import type {
  AccountStore,
  AuthRecords,
  IdentityStore,
  InvitationStore,
  MemberStore,
  SessionStore,
  SetUpStore,
} from "./people/ports.ts";
import type { PublishStore } from "./publishing/ports.ts";
import type { DeletionStore, DetailStore, ItemStore, ListStore, ServeStore } from "./reports/ports.ts";
import type { SearchStore } from "./search/ports.ts";
import type { TokenStore } from "./tokens/ports.ts";

export interface Store {
  readonly publish: PublishStore;
  readonly items: ItemStore;
  readonly batches: BatchStore;
  readonly deletions: DeletionStore;
  readonly cabinet: CabinetStore;
  readonly tags: TagStore;
  readonly shortcuts: ShortcutStore;
  readonly details: DetailStore;
  readonly lists: ListStore;
  readonly search: SearchStore;
  readonly serve: ServeStore;
  readonly live: LiveStore;
  readonly tokens: TokenStore;
  readonly accounts: AccountStore;
  readonly members: MemberStore;
  readonly invitations: InvitationStore;
  readonly identities: IdentityStore;
  readonly sessions: SessionStore;
  readonly setUp: SetUpStore;
  readonly authRecords: AuthRecords;
  readonly sweep: SweepStore;
  readonly probes: ProbeStore;
  readonly installation: InstallationStore;
  close(): Promise<void>;
}
