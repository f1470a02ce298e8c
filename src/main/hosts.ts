import { hostname } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import { createReleaseDirectory } from "../disk/release-directory.ts";
import { loadSecret } from "../disk/secret.ts";
import { isForAnyone } from "../domain/model/access.ts";
import type { Blobs } from "../domain/model/blobs.ts";
import type { Events, Gossip } from "../domain/model/events.ts";
import type { FreeSpace } from "../domain/model/free-space.ts";
import type { Part } from "../domain/model/health.ts";
import type { Addresses } from "../domain/model/links.ts";
import { createLinks } from "../domain/model/links.ts";
import type { FetchClientDocument } from "../domain/oauth/ports.ts";
import type { Task } from "../domain/operations/schedule.ts";
import type { Portal } from "../hosts/app/portal/files.ts";
import { bridgeCodeSchema } from "../hosts/content/bridge-code.ts";
import { observeContent } from "../hosts/content/observed.ts";
import { createCursors } from "../hosts/http/cursors.ts";
import { createTokenCheck } from "../hosts/http/operator-token.ts";
import { createShellFiles } from "../hosts/http/shell-files.ts";
import type { Subscription } from "../hosts/live/hub.ts";
import { shellCodeSchema } from "../hosts/live/shell-code.ts";
import { blobsPart, createReadiness, databasePart, eventsPart, writesPart } from "../observability/readiness.ts";
import { createRecentErrors } from "../observability/recent-errors.ts";
import type { Settings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";
import type { Threads } from "../threads/threads.ts";
import { createCliPackage } from "./cli-package.ts";
import { createMails } from "./mails.ts";
import { loadMcpAnswers } from "./mcp-answers.ts";
import { createMetrics, notePublishes } from "./metrics.ts";
import type { Observability } from "./observability.ts";
import { clock, origins, passwords, random, wait } from "./ports.ts";
import { createScrubAccess } from "./scrubbing.ts";

interface HostsDependencies {
  addresses: Addresses;
  store: Store;
  blobs: Blobs;
  room: FreeSpace;
  /** The parts of readiness that concern the disk. */
  diskParts: readonly Part[];
  events: Events;
  gossip: Gossip;
  threads: Threads;
  portal: Portal;
  observability: Observability;
  /** Background tasks beside those that every installation has. */
  tasks: readonly Task[];
}

/** Fetches the descriptions of apps. It loads the HTTP client for the first one. */
function createFetchClientDocument(): FetchClientDocument {
  let loading: Promise<FetchClientDocument> | undefined;
  const load = async () => (await import("../hosts/app/oauth/client-document.ts")).createClientDocuments();
  return async (url) => {
    loading ??= load();
    return (await loading)(url);
  };
}

/** Creates the services and the hosts that expose them. */
export async function createHosts(settings: Settings, { store: opened, observability, ...shared }: HostsDependencies) {
  const { addresses, blobs, room, diskParts, events, gossip, threads, portal } = shared;
  const { tracing, meters, observeAppRequest, contentObservers } = observability;
  const store = notePublishes(opened, meters?.notePublish);
  const [
    { createServices },
    { createAppHost },
    { createContentHost },
    { createCardPictures },
    { createLiveServer },
    { createGuestServer },
    { createPortalSocket },
    { createFindAddress },
    { createBodyReader },
    { createSchedule },
    { createCompareThread },
    { createVersionChanges },
  ] = await Promise.all([
    import("../domain/services.ts"),
    import("../hosts/app/server.ts"),
    import("../hosts/content/server.ts"),
    import("../hosts/content/cards/pictures.ts"),
    import("../hosts/live/server.ts"),
    import("../hosts/live/guest-server.ts"),
    import("../hosts/live/portal-socket.ts"),
    import("../hosts/http/client-address.ts"),
    import("../hosts/http/body.ts"),
    import("../domain/operations/schedule.ts"),
    import("../hosts/http/changes/compare-thread.ts"),
    import("../hosts/http/changes/version-changes.ts"),
  ]);
  const secret = settings.secret ?? (await loadSecret(settings.dataDir, random));
  const { isSignUpOpen } = settings;
  const findAddress = createFindAddress(settings.trustedProxies);
  const recentErrors = createRecentErrors(observability.log, clock);
  const { log } = recentErrors;
  const mail = settings.smtp && createMails(settings.smtp, addresses.baseUrl);
  const dependencies = {
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
    tracing,
    noteFanOut: meters?.noteFanOut,
    bearsMetricsToken: createTokenCheck(settings.metrics.token),
    origins,
    accountMail: mail?.accountMail,
    sharingMail: mail?.sharingMail,
    guestMail: mail?.guestMail,
    commentsMail: mail?.commentsMail,
    hasSingleSignOn: settings.oidc !== undefined,
    fetchClientDocument: createFetchClientDocument(),
  };
  const links = createLinks(addresses);
  const services = createServices({
    ...dependencies,
    links,
    createCursors: <Place>() => createCursors<Place>(dependencies),
    quotas: settings.quotas,
    defaultPlan: settings.defaultPlan,
    orphanDays: settings.orphanDays,
    scrubDays: settings.scrubDays,
    ...createScrubAccess(settings, { blobs, threads }),
    auditDays: settings.auditDays,
    trashDays: settings.trashDays,
    noteDamage: (code) =>
      log.error({ message: `Files of the report ${code} are missing or damaged.`, fields: { code } }),
  });
  const { audit, cards, live, operations, people, privateLinks } = services;
  const { reports, reviews, search, seen, sharing, tokens, trash } = services;
  const { damage, reading } = reports;
  const expiries = [audit.expiry, seen.expiry];
  const mails = reviews.digest.tasks;
  const tasks = [
    ...mails,
    ...operations.tasks,
    ...trash.tasks,
    ...sharing.tasks,
    ...expiries,
    search.indexing,
    ...shared.tasks,
  ];
  const schedule = createSchedule({ ...dependencies, replica: hostname(), tasks: meters?.countTasks(tasks) ?? tasks });
  /** The parts of the server that operators monitor, some of which decide whether it is ready. */
  const readinessParts = [
    databasePart(store),
    writesPart(store, dependencies),
    blobsPart(blobs),
    eventsPart(events),
    ...diskParts,
    { name: "sweep", check: operations.sweep.health },
    { name: "damaged reports", check: damage.health },
    { name: "scrub", check: operations.scrub.health },
    ...schedule.parts(),
  ];
  const readiness = createReadiness({
    clock,
    log,
    parts: () => [...readinessParts, ...threads.parts()],
  });
  const collectMetrics =
    meters &&
    (await createMetrics({
      settings,
      meters,
      store,
      state() {
        const { files, versions, waitingCompressions } = content.counts();
        return {
          readiness,
          damage: damage.counts,
          threads: threads.counts,
          caches: () => ({ files, versions, ...(settings.s3 === undefined ? {} : { disk: meters.diskCache }) }),
          queues: () => ({ uploads: app.waitingUploads(), compression: waitingCompressions }),
        };
      },
    }));
  const comparePages = createCompareThread(threads);
  let answers: ReturnType<typeof loadMcpAnswers> | undefined;
  const shellCode = shellCodeSchema.parse(portal.manifest.shell);
  const serveShellFile = createShellFiles(shellCode.shellFiles);
  const app = createAppHost({
    ...dependencies,
    serveShellFile,
    services,
    comparePages,
    links,
    readiness,
    collectMetrics: settings.metrics.token === undefined ? undefined : collectMetrics,
    observeRequest: observeAppRequest,
    server: {
      version: packageJson.version,
      replica: hostname(),
      startedAt: clock.now(),
      recentErrors: recentErrors.list,
    },
    oidc: settings.oidc,
    rateLimit: settings.rateLimit,
    publicCodes: async (code) => {
      const state = await store.reports.findServedState(code);
      return state !== undefined && isForAnyone(state.visibility);
    },
    async answerMcp(asked) {
      answers ??= loadMcpAnswers(addresses, { threads, log });
      return (await answers)(asked);
    },
    portal,
    readCliPackage: createCliPackage(),
    releaseFiles: createReleaseDirectory(join(settings.dataDir, "release")),
    openApi: async () => JSON.stringify((await import("../../generated/openapi.json")).default),
  });
  const findChanges = createVersionChanges({ reading, comparePages });
  const serveLiveAt = (own: string) =>
    createLiveServer({
      ...dependencies,
      shellCode,
      live,
      seen,
      links,
      baseUrl: addresses.baseUrl,
      findAddress,
      origins: { own, content: addresses.contentUrl },
      limits: settings.sockets,
      findChanges,
    });
  const publicLive = serveLiveAt(addresses.contentUrl);
  const privateLive = serveLiveAt(addresses.baseUrl);
  const cardPictures = createCardPictures(threads);
  const guests = createGuestServer({
    ...dependencies,
    cards,
    cardPictures,
    access: sharing.guestAccess,
    readers: sharing.guestReaders,
    uses: sharing.guestUses,
    seen,
    reviews: reviews.guests,
    live,
    connectTo: privateLive.connectTo,
    serveChanges: privateLive.serveChanges,
    shellCode,
    origins: { own: addresses.baseUrl, content: addresses.contentUrl },
    readBody: createBodyReader(clock),
  });
  const portalSocket = createPortalSocket({
    ...dependencies,
    findAddress,
    baseUrl: addresses.baseUrl,
    limits: settings.sockets,
  });
  const content = createContentHost<Subscription>({
    ...dependencies,
    store: { ...store.reports, changeMark: store.changeMark },
    damage,
    privateLinks,
    cards,
    cardPictures,
    seen,
    tokens,
    reading,
    readiness,
    serveShellFile,
    bridgeCode: bridgeCodeSchema.parse(portal.manifest.shell),
    serveLive: (request, link, server, missing) =>
      publicLive.serve({ request, server, ...link, reader: live.anyone, missing }),
  });
  return {
    app,
    content: { ...content, fetch: observeContent(content.fetch, contentObservers) },
    findAddress,
    publicLive,
    privateLive,
    guests,
    portalSocket,
    readiness,
    collectMetrics,
    bearsMetricsToken: dependencies.bearsMetricsToken,
    accounts: people.accounts,
    schedule,
    clearing: operations.clearing,
    seen,
    guestUses: sharing.guestUses,
  };
}
