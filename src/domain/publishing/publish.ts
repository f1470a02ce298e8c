import { authorizeWorkspace } from "../model/access.ts";
import type { Blobs } from "../model/blobs.ts";
import { newCode } from "../model/codes.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller, Instant, Membership, Visibility } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { ExpectedCode } from "../model/expected-code.ts";
import { invalid } from "../model/failure.ts";
import { parseFolderLabel, wantFolder } from "../model/folders.ts";
import type { FreeSpace } from "../model/free-space.ts";
import { cutCharacters, TITLE_CHARACTERS } from "../model/limits.ts";
import type { Links } from "../model/links.ts";
import { allowsRevisions, checkPlanAllows, type Quotas, workspaceFull } from "../model/plans.ts";
import type { Clock, Random } from "../model/ports.ts";
import { toStorable } from "../model/storable-text.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import type { StoreFacts } from "../model/store.ts";
import type { FilePackage } from "./files.ts";
import type { Publication, Published, PublishStore, RequestKey } from "./ports.ts";
import { fingerprintOf, REQUEST_LIFETIME } from "./request-keys.ts";

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
  store: { publishing: PublishStore } & Pick<StoreFacts, "hasChangedNothing">;
  blobs: Blobs;
  room: FreeSpace;
  events: Events;
  clock: Clock;
  random: Random;
  links: Links;
  quotas: Quotas;
}

/** Publishing: one upload becomes one immutable version with a code of its own. */
export function createPublish({ store, blobs, room, events, clock, random, links, quotas }: Parts) {
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
    // Before the key is looked up, so that the version an earlier request has just stored isn't held against this one.
    const storedBytes = await store.publishing.findStoredBytes(workspace.id);
    const earlier = request && (await store.publishing.findPublished({ ...request, now: clock.now() }));
    if (earlier !== undefined) return describe(workspace, details, earlier, true);
    checkPlanAllows(workspace.plan, upload.package.files);
    if (storedBytes + sizeOf(upload) > quotas[workspace.plan]) throw workspaceFull();
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
    await room.take(content.length);
    const folder = details.folder === undefined ? undefined : wantFolder(parseFolderLabel(details.folder), random);
    const code = newCode(random);
    const findings = await putWhileReading(code, content, upload);
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
      size: sizeOf(upload),
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

  /** Leaves no object when it fails. */
  async function putWhileReading(code: string, content: Uint8Array, upload: PreparedUpload): Promise<DocumentFindings> {
    const reading = readWhile(upload);
    const putting = blobs.put(code, content);
    try {
      const [findings] = await Promise.all([reading, putting]);
      return toStorableFindings(findings);
    } catch (failure) {
      // When the reading has failed, the object may still be on its way.
      await Promise.allSettled([putting]);
      await removeObject(code);
      throw failure;
    }
  }

  /** If it can't be removed now, the sweep finds it later. */
  const removeObject = (code: string) => blobs.delete([code]).catch(() => undefined);

  async function commit(publication: Publication): Promise<Published> {
    const { code, workspaceId } = publication;
    try {
      const published = await store.publishing.publish(publication);
      if (published.code === code) {
        events.publish({ kind: "published", code });
        events.publish({ kind: "itemChanged", itemId: published.itemId, workspaceId, isAddition: true });
      } else {
        await removeObject(code);
      }
      return published;
    } catch (failure) {
      // After a lost connection the rows may be there all the same; then the object stays, for the sweep to judge.
      if (store.hasChangedNothing(failure)) await removeObject(code);
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
  if (workspace === undefined) throw workspaceNotFound(owner ?? "");
  return workspace;
}

function checkExpectation({ name, expectedCode }: UploadDetails): void {
  if (expectedCode !== undefined && name === undefined)
    throw invalid("name is required if expected_current_code is set.");
}

/** Returns warnings about fields that a new version ignores, because it takes them from its report. */
function ignoredDetails(details: UploadDetails, { versionNo, visibility, isFiledElsewhere }: Published): string[] {
  const warnings: string[] = [];
  if (versionNo > 1 && details.visibility !== undefined && details.visibility !== visibility) {
    warnings.push(
      `visibility "${details.visibility}" was not applied: a new version has the visibility of its report, which is "${visibility}".`,
    );
  }
  if (isFiledElsewhere) {
    warnings.push(`folder "${details.folder}" was not applied: a new version doesn't move its report.`);
  }
  return warnings;
}

export type Publish = ReturnType<typeof createPublish>;

/** Without the stand-ins: they are made for browsers, and nobody has uploaded them. */
const sizeOf = ({ package: { files } }: PreparedUpload): number => files.reduce((sum, file) => sum + file.size, 0);

/** Returns the findings as they can be stored: documents may quote anything, NUL and lone surrogates included. */
export const toStorableFindings = ({ title, warnings }: DocumentFindings): DocumentFindings => ({
  title: title && toStorable(title),
  warnings: warnings.map(toStorable),
});

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
