import { authorizeReadItem, authorizeWorkspace, governs } from "../model/access.ts";
import type { Blobs } from "../model/blobs.ts";
import { newCode } from "../model/codes.ts";
import { nameTakenIn, workspaceNotFound } from "../model/common-failures.ts";
import type { Caller, Instant, Membership, Visibility } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { ExpectedCode } from "../model/expected-code.ts";
import { Failure, invalid } from "../model/failure.ts";
import { parseFolderLabel, prepareFolder } from "../model/folders.ts";
import type { FreeSpace } from "../model/free-space.ts";
import { cutCharacters, TITLE_CHARACTERS } from "../model/limits.ts";
import type { Links } from "../model/links.ts";
import { allowsRevisions, checkPlanAllows, type Quotas, workspaceFull } from "../model/plans.ts";
import type { Clock, Random } from "../model/ports.ts";
import { toStorable } from "../model/storable-text.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import type { StoreFacts } from "../model/store.ts";
import type { AddressedThreads } from "../reviews/addressing.ts";
import type { FilePackage } from "./files.ts";
import type { NamedReportFinder, Publication, Published, PublishStore, RequestKey, UploadTarget } from "./ports.ts";
import { fingerprintOf, REQUEST_LIFETIME } from "./request-keys.ts";
import { ignoredBy, warningsAbout } from "./request-warnings.ts";

/** The fields of an upload except its files. */
export interface UploadDetails {
  /** The slug of the workspace to publish to; the credential's workspace by default. */
  owner?: string | undefined;
  name?: string | undefined;
  expectedCode?: ExpectedCode;
  title?: string | undefined;
  /** What has changed in this version. */
  note?: string | undefined;
  folder?: string | undefined;
  /** That of the workspace by default. */
  visibility?: Visibility | undefined;
  /** That of the report by default. */
  storage?: StorageMode | undefined;
  /** Threads of comments that the version addresses. */
  addresses?: readonly string[] | undefined;
  /** Marks one of the sample reports. */
  sample?: string | undefined;
}

/** The results of reading the uploaded documents. */
export interface DocumentFindings {
  title: string | undefined;
  warnings: string[];
  /** The warnings if the report has storage in memory, where they differ. */
  warningsWithStorage?: string[] | undefined;
}

/** An upload that has been decoded and checked. */
export interface PreparedUpload {
  details: UploadDetails;
  package: FilePackage;
  /** Called while the object is being written, to overlap the two. */
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
  /** Whether this is the answer to an earlier request with the same key, so that this one published nothing. */
  isReplay: boolean;
}

interface Dependencies {
  store: { publishing: PublishStore; reports: NamedReportFinder } & Pick<StoreFacts, "hasChangedNothing">;
  blobs: Blobs;
  room: FreeSpace;
  events: Events;
  clock: Clock;
  random: Random;
  links: Links;
  quotas: Quotas;
}

/** Creates the publish operation: each upload becomes one immutable version with its own code. */
export function createPublish({ store, blobs, room, events, clock, random, links, quotas }: Dependencies) {
  /**
   * Publishes an upload and returns when it is durable: first its object, then the rows that name it. A repeated request
   * gets the answer of the first. Throws `Invalid`, `NotFound`, `Forbidden`, `TooLarge`, `Conflict`, `QuotaFull` or
   * `StorageFull`; then nothing has been published.
   */
  async function publish(
    caller: Caller,
    upload: PreparedUpload,
    requestKey?: string,
    addressed?: AddressedThreads,
  ): Promise<PublishedReport> {
    const { details } = upload;
    checkExpectation(details);
    const workspace = workspaceFor(caller, details);
    const request = requestKey === undefined ? undefined : keyOf(caller, upload, requestKey);
    // Read before the key, so that the version of an earlier request with this key doesn't count against this one.
    const target = await store.publishing.findTarget({ workspaceId: workspace.id, name: details.name });
    const earlier = request && (await store.publishing.findPublished({ ...request, now: clock.now() }));
    if (earlier !== undefined) return describe({ caller, workspace, details }, earlier, true);
    checkPlanAllows(workspace.plan, upload.package.files);
    if (target.storedBytes + sizeOf(upload) > quotas[workspace.plan]) throw workspaceFull();
    const durable = await makeDurable(caller, { workspace, target }, upload, request);
    const publication = { ...durable, addressed };
    const published = await commit(publication).catch(async (failure) => {
      throw (await explainTaken(caller, publication, failure)) ?? failure;
    });
    return describe({ caller, workspace, details }, published, published.code !== publication.code);
  }

  /** Returns a failure that says which other workspace of the caller has the name, if they can read that report. */
  async function explainTaken(caller: Caller, { name, workspaceId }: Publication, failure: unknown) {
    if (name === undefined || !(failure instanceof Failure) || failure.kind !== "Conflict") return undefined;
    const found = authorizeReadItem(caller, await store.reports.findNamedReport(name, caller));
    const owner = found?.membership;
    return owner === undefined || owner.id === workspaceId ? undefined : nameTakenIn(name, owner.slug);
  }

  const keyOf = (caller: Caller, { details, package: { files } }: PreparedUpload, key: string): RequestKey => ({
    userId: caller.userId,
    workspaceId: caller.workspace.id,
    key,
    fingerprint: fingerprintOf(details, files),
  });

  /** Stores the object and returns the publication that names it. */
  async function makeDurable(
    { userId }: Caller,
    { workspace, target }: { workspace: Membership; target: UploadTarget },
    upload: PreparedUpload,
    request: RequestKey | undefined,
  ): Promise<Omit<Publication, "addressed">> {
    const { id: workspaceId, plan } = workspace;
    const { details } = upload;
    const { content, files, standIns } = upload.package;
    await room.take(content.length);
    const folder = details.folder === undefined ? undefined : prepareFolder(parseFolderLabel(details.folder), random);
    const code = newCode(random);
    const findings = await putWhileReading(code, content, upload);
    const now = clock.now();
    return {
      code,
      name: details.name,
      expectedCode: details.expectedCode,
      title: chooseTitle(details, findings),
      note: details.note,
      visibility: details.visibility ?? target.defaultVisibility ?? "private",
      storage: details.storage,
      sample: details.sample,
      folder,
      files,
      standIns,
      size: sizeOf(upload),
      warnings: warningsOf(findings, details.storage ?? target.storage),
      ignored: ignoredBy(details),
      workspaceId,
      userId,
      mayGovern: governs(workspace),
      quota: quotas[plan],
      allowsRevisions: allowsRevisions(plan),
      request: request && { ...request, expiresAt: now + REQUEST_LIFETIME },
      now,
    };
  }

  /** Writes the object while the documents are read. Deletes it if either fails. */
  async function putWhileReading(code: string, content: Uint8Array, upload: PreparedUpload): Promise<DocumentFindings> {
    const reading = readWhile(upload);
    const putting = blobs.add(code, content);
    try {
      const [findings] = await Promise.all([reading, putting]);
      return toStorableFindings(findings);
    } catch (failure) {
      // The object may still be on its way if reading has failed.
      await Promise.allSettled([putting]);
      await removeObject(code);
      throw failure;
    }
  }

  /** Deletes an object; if that fails, the sweep finds it later. */
  const removeObject = (code: string) => blobs.delete([code]).catch(() => undefined);

  async function commit(publication: Publication): Promise<Published> {
    const { code, workspaceId } = publication;
    try {
      const published = await store.publishing.publish(publication);
      if (published.code === code) {
        events.publish({ kind: "published", code });
        if (publication.addressed !== undefined) events.publish({ kind: "commentsChanged", itemId: published.itemId });
        events.publish({ kind: "itemChanged", itemId: published.itemId, workspaceId, isAddition: true });
      } else {
        await removeObject(code);
      }
      return published;
    } catch (failure) {
      // After a lost connection the rows may exist; the sweep decides about the object.
      if (store.hasChangedNothing(failure)) await removeObject(code);
      throw failure;
    }
  }

  function describe({ caller, workspace, details }: Request, published: Published, isReplay: boolean) {
    const { code, visibility, createdAt } = published;
    const { name } = details;
    const { slug: owner } = workspace;
    const warnings = [...published.warnings, ...warningsAbout(details, published, caller)];
    const report = { code, url: links.version(code, visibility), owner, visibility, createdAt, warnings, isReplay };
    return name === undefined ? report : { ...report, name, nameUrl: links.live(name, owner, visibility) };
  }

  return { publish };
}

interface Request {
  caller: Caller;
  workspace: Membership;
  details: UploadDetails;
}

function workspaceFor(caller: Caller, { owner }: UploadDetails): Membership {
  const workspace = owner === undefined ? caller.workspace : authorizeWorkspace(caller, owner);
  if (workspace === undefined) throw workspaceNotFound(owner ?? "", caller);
  return workspace;
}

function checkExpectation({ name, expectedCode }: UploadDetails): void {
  if (expectedCode !== undefined && name === undefined)
    throw invalid("name is required if expected_current_code is set.");
}

const warningsOf = ({ warnings, warningsWithStorage }: DocumentFindings, storage: StorageMode | null): string[] =>
  (storage === "memory" ? warningsWithStorage : undefined) ?? warnings;

export type Publish = ReturnType<typeof createPublish>;

/** Returns the bytes that were uploaded, so without stand-ins. */
const sizeOf = ({ package: { files } }: PreparedUpload): number => files.reduce((sum, file) => sum + file.size, 0);

/** Returns the findings without characters that can't be stored, such as NUL and lone surrogates. */
export const toStorableFindings = ({ title, warnings, warningsWithStorage }: DocumentFindings): DocumentFindings => ({
  title: title && toStorable(title),
  warnings: warnings.map(toStorable),
  warningsWithStorage: warningsWithStorage?.map(toStorable),
});

async function readWhile(upload: PreparedUpload): Promise<DocumentFindings> {
  // Lets the write start first, because reading may block the thread.
  await Promise.resolve();
  return upload.findings();
}

function chooseTitle(details: UploadDetails, findings: DocumentFindings): string {
  const supplied = details.title?.trim();
  const title = supplied || findings.title || details.name || "Untitled report";
  // The cut may leave a space at the end.
  return cutCharacters(title, TITLE_CHARACTERS).trimEnd();
}
