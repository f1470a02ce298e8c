import type { Store } from "../../domain/ports.ts";
import type { Publication, Published } from "../../domain/publishing/ports.ts";
import * as batches from "../cabinet/batches.ts";
import * as shortcuts from "../cabinet/shortcuts.ts";
import * as live from "../live/live.ts";
import * as installation from "../operations/installation.ts";
import * as sweep from "../operations/sweep.ts";
import * as accounts from "../people/accounts.ts";
import * as authRecords from "../people/auth-records.ts";
import * as identities from "../people/identities.ts";
import * as invitations from "../people/invitations.ts";
import * as members from "../people/members.ts";
import * as sessions from "../people/sessions.ts";
import * as setUp from "../people/set-up.ts";
import * as publishing from "../publishing/publish.ts";
import * as requestKeys from "../publishing/request-keys.ts";
import * as deletions from "../reports/deletions.ts";
import * as items from "../reports/items.ts";
import * as lists from "../reports/lists.ts";
import * as serve from "../reports/serve.ts";
import * as tokens from "../tokens/tokens.ts";
import { isDefinite, translateError } from "./engine.ts";
import type { LongReadInput, LongReadName, ReadLong } from "./long-reads.ts";
import type { InputOf, OperationName, Write } from "./operations.ts";
import type { Database } from "./schema.ts";

export type Snapshot = <Result>(read: (database: Database) => Promise<Result>) => Promise<Result>;

/** What an engine brings: a way to read, a way to write, and what it knows of changes from outside. */
export interface Connections {
  reader: Database;
  write: Write;
  /** The same for what is written most, where the engine has a shorter way to it. */
  publish(publication: Publication): Promise<Published>;
  /** Runs reads that would hold the event loop. */
  readLong: ReadLong;
  /** Runs several reads on one state of the database. */
  snapshot: Snapshot;
  changeMark(): number | undefined;
  close(): Promise<void>;
}

/** The store over either engine; the engines' errors leave it as failures. */
export function createStore({ reader, write, publish, readLong, snapshot, changeMark, close }: Connections): Store {
  const reading =
    <Input extends unknown[], Output>(read: (database: Database, ...input: Input) => Promise<Output>) =>
    (...input: Input) =>
      read(reader, ...input).catch(rethrow);
  const writing =
    <Name extends OperationName>(name: Name) =>
    (input: InputOf<Name>) =>
      write(name, input).catch(rethrow);
  const readingLong =
    <Name extends LongReadName>(name: Name) =>
    (input: LongReadInput<Name>) =>
      readLong(name, input).catch(rethrow);
  return {
    publish: {
      publish: (publication) => publish(publication).catch(rethrow),
      findPublished: reading(requestKeys.findPublished),
      findStoredBytes: reading(publishing.findStoredBytes),
      hasStoredNothing: isDefinite,
    },
    items: {
      findGroup: reading(items.findGroup),
      findGroupWithVersions: (name, limit, isWanted) =>
        snapshot((database) => items.findGroupWithVersions(database, name, limit, isWanted)).catch(rethrow),
      findVersion: reading(items.findVersion),
      listVersions: reading(items.listVersions),
      findFolder: reading(items.findFolder),
      listTags: reading(items.listTags),
      rename: writing("rename"),
      setLatest: writing("setLatest"),
      deleteItem: writing("deleteItem"),
      deleteVersion: writing("deleteVersion"),
      setItemVisibility: writing("setItemVisibility"),
      setVersionVisibility: writing("setVersionVisibility"),
      setFolder: writing("setFolder"),
    },
    batches: {
      findGroups: reading(batches.findGroups),
      findVersions: reading(batches.findVersions),
      findItemsOf: reading(batches.findItemsOf),
      fileItems: writing("fileItems"),
      tagItems: writing("tagItems"),
    },
    deletions: {
      findDeletion: reading(deletions.findDeletion),
      deleteItems: writing("deleteItems"),
      restoreItems: writing("restoreItems"),
    },
    cabinet: {
      readTaxonomy: readingLong("readTaxonomy"),
      addDrawer: writing("addDrawer"),
      renameDrawer: writing("renameDrawer"),
      deleteDrawer: writing("deleteDrawer"),
      addFolder: writing("addFolder"),
      renameFolder: writing("renameFolder"),
      moveFolder: writing("moveFolder"),
      deleteFolder: writing("deleteFolder"),
      setDefaultFolder: writing("setDefaultFolder"),
    },
    tags: {
      addTag: writing("addTag"),
      renameTag: writing("renameTag"),
      moveTag: writing("moveTag"),
      deleteTag: writing("deleteTag"),
    },
    shortcuts: {
      listShortcuts: reading(shortcuts.listShortcuts),
      addShortcut: writing("addShortcut"),
      removeShortcut: writing("removeShortcut"),
    },
    details: {
      countReadableVersions: readingLong("countReadableVersions"),
      listReadableVersions: readingLong("listReadableVersions"),
    },
    lists: { listItems: reading(lists.listItems) },
    search: { search: readingLong("search") },
    serve: {
      findServed: reading(serve.findServed),
      findVisibility: reading(serve.findVisibility),
      changeMark,
    },
    live: { findLiveByName: reading(live.findLiveByName), findLiveById: reading(live.findLiveById) },
    tokens: {
      findCaller: reading(tokens.findCaller),
      listTokens: reading(tokens.listTokens),
      addToken: writing("addToken"),
      removeToken: writing("removeToken"),
      removeTokens: writing("removeTokens"),
      touchToken: writing("touchToken"),
    },
    accounts: {
      countUsers: reading(accounts.countUsers),
      findUserBySlug: reading(accounts.findUserBySlug),
      findWorkspace: reading(accounts.findWorkspace),
      findRole: reading(accounts.findRole),
      findProfile: reading(accounts.findProfile),
      listHoldings: reading(accounts.listHoldings),
      addUser: writing("addUser"),
      addOrganization: writing("addOrganization"),
      addMember: writing("addMember"),
      setPlan: writing("setPlan"),
      setDisplayName: writing("setDisplayName"),
    },
    members: {
      listMembers: reading(members.listMembers),
      admitMember: writing("admitMember"),
      setRole: writing("setRole"),
      removeMember: writing("removeMember"),
    },
    invitations: {
      listInvitations: reading(invitations.listInvitations),
      findInvitation: reading(invitations.findInvitation),
      addInvitation: writing("addInvitation"),
      revokeInvitation: writing("revokeInvitation"),
      acceptInvitation: writing("acceptInvitation"),
      acceptAsNewUser: writing("acceptAsNewUser"),
    },
    identities: {
      findIdentity: reading(identities.findIdentity),
      hasUser: reading(identities.hasUser),
      linkIdentity: writing("linkIdentity"),
    },
    sessions: {
      findSession: reading(sessions.findSession),
      findSessionByRef: reading(sessions.findSessionByRef),
      findSought: reading(sessions.findSought),
      findStanding: reading(sessions.findStanding),
      listSessions: reading(sessions.listSessions),
      endSession: writing("endSession"),
      endOtherSessions: writing("endOtherSessions"),
      confirmSession: writing("confirmSession"),
    },
    setUp: {
      replaceSetUpLink: writing("replaceSetUpLink"),
      hasSetUpLink: reading(setUp.hasSetUpLink),
      addFirstUser: writing("addFirstUser"),
    },
    authRecords: {
      create: writing("createAuthRow"),
      find: reading(authRecords.findAuthRows),
      count: reading(authRecords.countAuthRows),
      update: writing("updateAuthRows"),
      remove: writing("removeAuthRows"),
    },
    sweep: {
      listUnswept: reading(sweep.listUnswept),
      findLiving: reading(sweep.findLiving),
      markSwept: writing("markSwept"),
      removeExpired: writing("removeExpired"),
      findRetired: reading(sweep.findRetired),
      noteOrphans: writing("noteOrphans"),
      forgetOrphans: writing("forgetOrphans"),
      forgetAllOrphans: () => write("forgetAllOrphans", undefined).catch(rethrow),
      removeOrphans: writing("removeOrphans"),
      countDue: reading(sweep.countDue),
      listDue: reading(sweep.listDue),
      hold: writing("holdSweep"),
      release: () => write("releaseHold", undefined).catch(rethrow),
      confirm: writing("confirmHold"),
      findHold: reading(sweep.findHold),
      listHeld: reading(sweep.listHeld),
    },
    installation: {
      findId: reading(installation.findInstallation),
      claimId: writing("claimInstallation"),
      hasReports: reading(installation.hasReports),
    },
    probes: { write: writing("writeProbe") },
    close,
  };
}

function rethrow(error: unknown): never {
  throw translateError(error);
}
