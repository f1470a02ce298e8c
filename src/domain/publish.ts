import { authorizeWorkspace } from "./access.ts";
import { newCode } from "./codes.ts";
import type { Events } from "./event-ports.ts";
import type { ExpectedCode } from "./expected-code.ts";
import { Failure, invalid, notFound } from "./failure.ts";
import type { FilePackage } from "./files.ts";
import { parseFolderLabel, wantFolder } from "./folders.ts";
import { cutCharacters, TITLE_CHARACTERS } from "./limits.ts";
import type { Links } from "./links.ts";
import type { Caller, Instant, Membership, Visibility } from "./model.ts";
import { allowsRevisions, checkPlanAllows, type Quotas } from "./plans.ts";
import type { Blobs, Clock, Random, Store } from "./ports.ts";
import type { Publication, Published, RequestKey } from "./publish-ports.ts";
import { fingerprintOf, REQUEST_LIFETIME } from "./request-keys.ts";
import type { StorageMode } from "./storage-mode.ts";

/** What an upload says beside its files. */
export interface UploadDetails {
  /** Slug of the workspace that it goes to; the one of the caller's credential unless given. */
  owner?: string | undefined;
  name?: string | undefined;
  expectedCode?: ExpectedCode;
  title?: string | undefined;
  folder?: string | undefined;
  visibility?: Visibility | undefined;
  /** None unless given. */
  storage?: StorageMode | undefined;
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
  findings(): DocumentFindings | Promise<DocumentFindings>;
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
  /** Whether this is the answer to an earlier request with the same key, and nothing was published now. */
  isReplay: boolean;
}

interface Parts {
  store: Pick<Store, "publish">;
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
   * Answers when the version is durable: its object first, then the rows that name it. A request with the key of an
   * earlier one gets that one's answer.
   * Throws `Invalid`, `NotFound`, `Forbidden`, `TooLarge`, `Conflict`, `QuotaFull` or `StorageFull`; then nothing has
   * been published.
   */
  async function publish(caller: Caller, upload: PreparedUpload, requestKey?: string): Promise<PublishedReport> {
    const { details } = upload;
    checkExpectation(details);
    const workspace = workspaceFor(caller, details);
    const request = requestKey === undefined ? undefined : keyOf(caller, upload, requestKey);
    const earlier = request && (await store.publish.findPublished({ ...request, now: clock.now() }));
    if (earlier !== undefined) return describe(workspace, details, earlier, true);
    const publication = await makeDurable(caller, workspace, upload, request);
    const published = await commit(publication);
    return describe(workspace, details, published, published.code !== publication.code);
  }

  const keyOf = (caller: Caller, { details, package: { files } }: PreparedUpload, key: string): RequestKey => ({
    userId: caller.userId,
    workspaceId: caller.workspace.id,
    key,
    fingerprint: fingerprintOf(details, files),
  });

  /** Stores the object, and says what has to become of it. */
  async function makeDurable(
    { userId }: Caller,
    { id: workspaceId, plan, role }: Membership,
    upload: PreparedUpload,
    request: RequestKey | undefined,
  ): Promise<Publication> {
    const { details } = upload;
    const { content, files, standIns } = upload.package;
    checkPlanAllows(plan, files);
    const folder = details.folder === undefined ? undefined : wantFolder(parseFolderLabel(details.folder), random);
    const code = newCode(random);
    // What is made for browsers beside it is not what somebody has uploaded.
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const [findings] = await Promise.all([readWhile(upload), blobs.put(code, content)]);
    const now = clock.now();
    return {
      code,
      name: details.name,
      expectedCode: details.expectedCode,
      title: chooseTitle(details, findings),
      visibility: details.visibility ?? "private",
      folder,
      files,
      standIns,
      size,
      warnings: findings.warnings,
      workspaceId,
      userId,
      mayGovern: role !== "member",
      quota: quotas[plan],
      allowsRevisions: allowsRevisions(plan),
      request: request && { ...request, expiresAt: now + REQUEST_LIFETIME },
      now,
    };
  }

  async function commit(publication: Publication): Promise<Published> {
    const { code, workspaceId } = publication;
    const removeObject = () => blobs.delete([code]).catch(() => undefined);
    try {
      const published = await store.publish.publish(publication);
      if (published.code === code) {
        events.publish({ kind: "published", code });
        events.publish({ kind: "itemChanged", itemId: published.itemId, workspaceId, isAddition: true });
      } else {
        await removeObject();
      }
      return published;
    } catch (failure) {
      if (isRefusal(failure)) await removeObject();
      throw failure;
    }
  }

  function describe({ slug: owner }: Membership, details: UploadDetails, published: Published, isReplay: boolean) {
    const { code, visibility, createdAt } = published;
    const { name } = details;
    const warnings = [...published.warnings, ...ignoredDetails(details, published)];
    const report = { code, url: links.pinned(code, visibility), owner, visibility, createdAt, warnings, isReplay };
    return name === undefined ? report : { ...report, name, nameUrl: links.live(name, owner, visibility) };
  }

  return { publish };
}

function workspaceFor(caller: Caller, { owner }: UploadDetails): Membership {
  const workspace = owner === undefined ? caller.workspace : authorizeWorkspace(caller, owner);
  if (workspace === undefined) throw notFound("There is no such workspace.");
  return workspace;
}

function checkExpectation({ name, expectedCode }: UploadDetails): void {
  if (expectedCode !== undefined && name === undefined) throw invalid("name is required with expected_current_code.");
}

/** A new version takes its group's visibility and folder; what the request wanted instead is said, not done. */
function ignoredDetails(details: UploadDetails, { versionNo, visibility, isFiledElsewhere }: Published): string[] {
  const warnings: string[] = [];
  if (versionNo > 1 && details.visibility !== undefined && details.visibility !== visibility) {
    warnings.push(
      `visibility "${details.visibility}" was not applied: a new version takes its group's, which is "${visibility}".`,
    );
  }
  if (isFiledElsewhere) {
    warnings.push(`folder "${details.folder}" was not applied: a new version stays where its group is filed.`);
  }
  return warnings;
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
  const title = supplied || findings.title || details.name || "Untitled report";
  // Where it is cut there may be a space.
  return cutCharacters(title, TITLE_CHARACTERS).trimEnd();
}
