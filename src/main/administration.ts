import type { Administer, Administration } from "../cli/administration.ts";
import { operatorOfCommand } from "../domain/model/access.ts";
import { parseDuration } from "../domain/model/durations.ts";
import type { Events } from "../domain/model/events.ts";
import {
  type Administration as AdministrationService,
  createAdministration,
} from "../domain/operations/administration.ts";
import type { Page } from "../domain/operations/administration-pages.ts";
import type { TokenPlace, WorkspacePlace } from "../domain/operations/administration-ports.ts";
import { createAccounts } from "../domain/people/accounts.ts";
import { createPasswordResets, type PasswordResets } from "../domain/people/password-resets.ts";
import { createTokens } from "../domain/tokens/tokens.ts";
import { silentLog } from "../observability/log.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";
import { createAuditReader } from "./audit.ts";
import { commandLine } from "./command-line.ts";
import { requireDatabase } from "./existing.ts";
import { openStore, prepareDataDir } from "./open.ts";
import { clock, origins, passwords, random } from "./ports.ts";
import { createRemoteEvents } from "./remote-events.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the database for an administration command, and tells running servers what the command has changed. */
export function createAdminister(environment: Environment): Administer {
  return async (work, { mayInitialize } = {}) => {
    const settings = readSettings(environment);
    if (mayInitialize) await prepareDataDir(settings);
    else await requireDatabase(settings);
    const store = await openStore(settings);
    const events = createRemoteEvents(settings);
    try {
      return await origins.run(commandLine(), () => work(createCommands(store, settings, events)));
    } finally {
      await events.close();
      await store.close();
    }
  };
}

/** Creates what administration commands do to a database that is open. */
export function createCommands(store: Store, settings: Settings, events: Pick<Events, "publish">): Administration {
  const by = operatorOfCommand();
  const ports = { store, events, clock, random, passwords };
  const { createUser, makePassword, createOrganization, setPlan } = createAccounts({
    ...ports,
    defaultPlan: settings.defaultPlan,
  });
  const tokens = createTokens(ports);
  const baseUrl = settings.baseUrl ?? `http://localhost:${settings.port}`;
  const resets = createPasswordResets({
    ...ports,
    addresses: { baseUrl },
    accountMail: undefined,
    hasSingleSignOn: settings.oidc !== undefined,
    log: silentLog,
  });
  const administration = createAdministration({ ...ports, quotas: settings.quotas });
  return {
    createUser,
    makePassword,
    createOrganization,
    setPlan,
    ...userCommands(administration, resets),
    listOrganizations: (filter) =>
      all((after: string | undefined) => administration.listOrganizations(by, { ...filter, after })),
    showOrganization: (slug) => administration.showOrganization(by, slug),
    addMember: (member) => administration.addMember(by, member),
    setMember: (member) => administration.setMember(by, member),
    deleteOrganization: (slug) => administration.deleteOrganization(by, slug),
    listWorkspaces: (order) =>
      all((after: WorkspacePlace | undefined) => administration.listWorkspaces(by, { ...order, after })),
    showWorkspace: (slug) => administration.showWorkspace(by, slug),
    transferReports: (from, to) => administration.transferReports(by, from, to),
    createToken: ({ expires, ...wanted }) =>
      tokens.create({ ...wanted, expiresIn: expires === undefined ? undefined : parseDuration(expires) }),
    listTokens: (user) => all((after: TokenPlace | undefined) => administration.listTokens(by, { user, after })),
    readAudit: createAuditReader(store),
    revokeToken: (user, id) => (user === undefined ? administration.revokeToken(by, id) : tokens.revoke(user, id)),
  };
}

function userCommands(administration: AdministrationService, resets: PasswordResets) {
  const by = operatorOfCommand();
  return {
    listUsers: (filter) => all((after: string | undefined) => administration.listUsers(by, { ...filter, after })),
    showUser: (slug) => administration.showUser(by, slug),
    disableUser: (slug) => administration.disableUser(by, slug),
    enableUser: (slug) => administration.enableUser(by, slug),
    deleteUser: (slug) => administration.deleteUser(by, slug),
    grantOperator: (slug) => administration.grantOperator(by, slug),
    revokeOperator: (slug) => administration.revokeOperator(by, slug),
    createResetLink: async (slug) => {
      const { id } = await administration.showUser(by, slug);
      return resets.createLink(id, { isMailed: false });
    },
    setPassword: async (slug, password) => resets.replace((await administration.showUser(by, slug)).id, password),
    endSessions: (slug) =>
      slug === undefined ? administration.endAllSessions(by) : administration.endSessions(by, slug),
  } satisfies Partial<Administration>;
}

/** Returns the entries of all pages. */
async function all<Entry, Place>(read: (after: Place | undefined) => Promise<Page<Entry, Place>>): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after: Place | undefined;
  do {
    const page = await read(after);
    entries.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return entries;
}
