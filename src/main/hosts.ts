import packageJson from "../../package.json";
import { loadSecret } from "../disk/secret.ts";
import type { Blobs } from "../domain/model/blobs.ts";
import type { Events, Gossip } from "../domain/model/events.ts";
import type { FreeSpace } from "../domain/model/free-space.ts";
import type { Part } from "../domain/model/health.ts";
import type { Addresses } from "../domain/model/links.ts";
import { createAccounts } from "../domain/people/accounts.ts";
import { createTokens } from "../domain/tokens/tokens.ts";
import type { Portal } from "../hosts/app/portal/files.ts";
import { createCursors } from "../hosts/http/cursors.ts";
import type { Subscription } from "../hosts/live/hub.ts";
import { shellCodeSchema } from "../hosts/live/shell-code.ts";
import { blobsPart, createReadiness, databasePart, eventsPart, writesPart } from "../observability/readiness.ts";
import type { Settings } from "../settings.ts";
import type { Store } from "../store/store.ts";
import type { Threads } from "../threads/threads.ts";
import { clock, log, passwords, random, wait } from "./ports.ts";

interface Shared {
  addresses: Addresses;
  store: Store;
  blobs: Blobs;
  room: FreeSpace;
  /** How the disk is. */
  diskParts: readonly Part[];
  events: Events;
  gossip: Gossip;
  threads: Threads;
  portal: Portal;
}

/** Loaded when the first agent comes: what the protocol needs takes longer to load than all else. */
async function mcpAnswers({ baseUrl }: Addresses) {
  const [{ createMcpAnswers }, { parseJson }] = await Promise.all([
    import("../mcp/http.ts"),
    import("../hosts/http/body.ts"),
  ]);
  return createMcpAnswers({
    parseJson,
    version: packageJson.version,
    baseUrl,
    onUnexpected: (error) => log.error({ message: "A tool failed unexpectedly.", requestId: "", error }),
  });
}

/** The rules and the hosts that answer by them, on top of what they share. */
export async function createHosts(
  settings: Settings,
  { addresses, store, blobs, room, diskParts, events, gossip, threads, portal }: Shared,
) {
  const [
    domain,
    { createAppHost },
    { createContentHost },
    { createLiveServer },
    { createPortalSocket },
    { createFindAddress },
  ] = await Promise.all([
    import("../domain/services.ts"),
    import("../hosts/app/server.ts"),
    import("../hosts/content/server.ts"),
    import("../hosts/live/server.ts"),
    import("../hosts/live/portal-socket.ts"),
    import("../hosts/http/peer-address.ts"),
  ]);
  const secret = settings.secret ?? (await loadSecret(settings.dataDir, random));
  const { isSignUpOpen } = settings;
  const findAddress = createFindAddress(settings.trustedProxies);
  const parts = {
    store,
    blobs,
    room,
    events,
    gossip,
    threads,
    clock,
    wait,
    random,
    log,
    addresses,
    secret,
    passwords,
    isSignUpOpen,
    findAddress,
  };
  const privateLinks = domain.createPrivateLinks(parts);
  const accounts = createAccounts({ ...parts, defaultPlan: settings.defaultPlan });
  const tokens = createTokens(parts);
  const links = domain.createLinks(addresses);
  const live = domain.createLive({ store, links });
  const damage = domain.createDamage({
    store,
    note: (code) =>
      log.error({ message: `Files of the report ${code} are missing or damaged.`, requestId: "", error: code }),
  });
  const reading = domain.createReading({ ...parts, damage });
  const sweep = domain.createSweep({ ...parts, orphanDays: settings.orphanDays });
  /** What the server can't do without, and what operators have to know of. Another part is another line. */
  const readinessParts = [
    databasePart(store),
    writesPart(store, parts),
    blobsPart(blobs),
    eventsPart(events),
    ...diskParts,
    { name: "sweep", check: sweep.health },
    { name: "damaged reports", check: damage.health },
  ];
  const readiness = createReadiness({
    clock,
    parts: () => [...readinessParts, ...threads.parts()],
  });
  let answers: ReturnType<typeof mcpAnswers> | undefined;
  const app = createAppHost({
    ...parts,
    accounts,
    privateLinks,
    live,
    liveReaders: domain.createLiveReaders({ ...parts, links }),
    tokens,
    account: domain.createAccount({ ...parts, quotas: settings.quotas }),
    sessions: domain.createSessions(parts),
    identities: domain.createIdentities({ ...parts, defaultPlan: settings.defaultPlan }),
    oidc: settings.oidc,
    rateLimit: settings.rateLimit,
    publish: domain.createPublish({ ...parts, links, quotas: settings.quotas }),
    groups: domain.createGroups(parts),
    details: domain.createDetails({ ...parts, links, privateLinks }),
    reading,
    readiness,
    reports: domain.createReports(parts),
    visibilities: domain.createVisibilities(parts),
    filing: domain.createFiling(parts),
    lists: domain.createLists({ store, cursors: createCursors(parts) }),
    links,
    search: domain.createSearch({ store, cursors: createCursors(parts) }),
    signUp: domain.createSignUp({ accounts, isSignUpOpen }),
    organizations: domain.createOrganizations({ ...parts, accounts }),
    members: domain.createMembers(parts),
    invitations: domain.createInvitations({ ...parts, accounts }),
    cabinet: domain.createCabinet(parts),
    tags: domain.createTags(parts),
    items: domain.createItems(parts),
    deletions: domain.createDeletions({ ...parts, quotas: settings.quotas }),
    shortcuts: domain.createShortcuts(parts),
    publicCodes: async (code) => (await store.reports.findVisibility(code)) === "public",
    async answerMcp(asked) {
      answers ??= mcpAnswers(addresses);
      return (await answers)(asked);
    },
    portal,
    openApi: async () => JSON.stringify((await import("../../generated/openapi.json")).default),
  });
  const serveLiveAt = (own: string) =>
    createLiveServer({
      ...parts,
      shellCode: shellCodeSchema.parse(portal.manifest.shell),
      live,
      findAddress,
      origins: { own, content: addresses.contentUrl },
      limits: settings.sockets,
    });
  const publicLive = serveLiveAt(addresses.contentUrl);
  const privateLive = serveLiveAt(addresses.baseUrl);
  const portalSocket = createPortalSocket({
    ...parts,
    findAddress,
    baseUrl: addresses.baseUrl,
    limits: settings.sockets,
  });
  const content = createContentHost<Subscription>({
    ...parts,
    store: { ...store.reports, changeMark: store.changeMark },
    damage,
    privateLinks,
    tokens,
    reading,
    readiness,
    serveLive: (request, link, server, missing) =>
      publicLive.serve({ request, server, ...link, reader: live.anyone, missing }),
  });
  return { app, content, findAddress, publicLive, privateLive, portalSocket, readiness, accounts, sweep };
}
