import { authorizeWorkspace } from "./access.ts";
import { newCode } from "./codes.ts";
import { Failure, notFound } from "./failure.ts";
import type { FilePackage } from "./files.ts";
import { folderLabel, parseFolderLabel, wantFolder } from "./folders.ts";
import { cutCharacters, TITLE_CHARACTERS } from "./limits.ts";
import type { Links } from "./links.ts";
import type { Caller, Instant, Membership, Visibility } from "./model.ts";
import { allowsRevisions, checkPlanAllows, type Quotas } from "./plans.ts";
import type { Blobs, Clock, Events, Publication, Published, Random, Store } from "./ports.ts";

/** What an upload says beside its files. */
export interface UploadDetails {
  /** Slug of the workspace that it goes to; the one of the caller's credential unless given. */
  owner?: string | undefined;
  name?: string | undefined;
  title?: string | undefined;
  folder?: string | undefined;
  visibility?: Visibility | undefined;
}

/** What reading the uploaded documents found. */
export interface DocumentFindings {
  title: string | undefined;
  warnings: string[];
}

/** An upload that has been decoded and checked. */
export interface PreparedUpload {
  details: UploadDetails;
  package: FilePackage;
  /** Called while the object is being written, so that both take their time together. */
  findings(): DocumentFindings;
}

export interface PublishedReport {
  code: string;
  url: string;
  name?: string;
  nameUrl?: string;
  owner: string;
  visibility: Visibility;
  createdAt: Instant;
  warnings: string[];
}

interface Parts {
  store: Pick<Store, "publish" | "items">;
  blobs: Blobs;
  events: Events;
  clock: Clock;
  random: Random;
  links: Links;
  quotas: Quotas;
}

/** Publishing: one upload becomes one immutable version with a code of its own. */
export function createPublish({ store, blobs, events, clock, random, links, quotas }: Parts) {
  /**
   * Answers when the version is durable: its object first, then the rows that name it.
   * Throws `NotFound`, `Forbidden`, `TooLarge`, `Conflict`, `QuotaFull` or `StorageFull`; then nothing has been
   * published.
   */
  async function publish(caller: Caller, upload: PreparedUpload): Promise<PublishedReport> {
    const { details } = upload;
    const { content, files } = upload.package;
    const workspace = workspaceFor(caller, details);
    const { plan } = workspace;
    checkPlanAllows(plan, files);
    const folder = details.folder === undefined ? undefined : wantFolder(parseFolderLabel(details.folder), random);
    const code = newCode(random);
    const size = content.length;
    const [findings] = await Promise.all([readWhile(upload), blobs.put(code, content)]);
    const publication: Publication = {
      code,
      name: details.name,
      title: chooseTitle(details, findings),
      visibility: details.visibility ?? "private",
      folder,
      files,
      size,
      workspaceId: workspace.id,
      userId: caller.userId,
      mayGovern: workspace.role !== "member",
      quota: quotas[plan],
      allowsRevisions: allowsRevisions(plan),
      now: clock.now(),
    };
    const published = await commit(publication);
    const warnings = [...findings.warnings, ...(await ignoredDetails(details, published))];
    return describe(workspace.slug, publication, published, warnings);
  }

  async function commit(publication: Publication): Promise<Published> {
    try {
      const published = await store.publish.publish(publication);
      events.publish({ kind: "published", code: publication.code });
      const { workspaceId } = publication;
      events.publish({ kind: "itemChanged", itemId: published.itemId, workspaceId });
      return published;
    } catch (failure) {
      if (isRefusal(failure)) await blobs.delete([publication.code]).catch(() => undefined);
      throw failure;
    }
  }

  /** A new version takes its group's visibility and folder; what the request wanted instead is said, not done. */
  async function ignoredDetails(details: UploadDetails, published: Published): Promise<string[]> {
    if (published.versionNo === 1) return [];
    const warnings: string[] = [];
    if (details.visibility !== undefined && details.visibility !== published.visibility) {
      warnings.push(
        `visibility "${details.visibility}" was not applied: a new version takes its group's, which is "${published.visibility}".`,
      );
    }
    if (details.folder !== undefined && (await isFiledElsewhere(details))) {
      warnings.push(`folder "${details.folder}" was not applied: a new version stays where its group is filed.`);
    }
    return warnings;
  }

  async function isFiledElsewhere({ name = "", folder = "" }: UploadDetails): Promise<boolean> {
    const group = await store.items.findGroup(name);
    const folderId = group?.item.folderId;
    const current = folderId ? await store.items.findFolder(folderId) : undefined;
    const wanted = parseFolderLabel(folder);
    const wantedLabel = wanted && folderLabel({ title: wanted.folder, drawerTitle: wanted.drawer });
    return wantedLabel !== (current ? folderLabel(current) : null);
  }

  function describe(owner: string, publication: Publication, published: Published, warnings: string[]) {
    const { code, name, now } = publication;
    const { visibility } = published;
    const report = { code, url: links.pinned(code, visibility), owner, visibility, createdAt: now, warnings };
    return name === undefined ? report : { ...report, name, nameUrl: links.live(name, owner, visibility) };
  }

  return { publish };
}

function workspaceFor(caller: Caller, { owner }: UploadDetails): Membership {
  const workspace = owner === undefined ? caller.workspace : authorizeWorkspace(caller, owner);
  if (workspace === undefined) throw notFound("There is no such workspace.");
  return workspace;
}

export type Publish = ReturnType<typeof createPublish>;

/**
 * Whether it is certain that no row names the object. After a lost connection the rows may be there nevertheless; then
 * the object stays, and is swept later if it turns out to be nobody's.
 */
const isRefusal = (failure: unknown) => failure instanceof Failure && failure.kind !== "Unavailable";

async function readWhile(upload: PreparedUpload): Promise<DocumentFindings> {
  // The put has to be under way before this holds the thread, hence the pause.
  await Promise.resolve();
  return upload.findings();
}

function chooseTitle(details: UploadDetails, findings: DocumentFindings): string {
  const supplied = details.title?.trim();
  return cutCharacters(supplied || findings.title || details.name || "Untitled report", TITLE_CHARACTERS);
}
