import type { QueryOf } from "../../../contract/model/route.ts";
import { type ChangeEntry, type ChangesEntry, changesRoute } from "../../../contract/reviews/changes.ts";
import type { Caller } from "../../../domain/model/entities.ts";
import { invalid, notFound, tooLarge } from "../../../domain/model/failure.ts";
import { INDEX_FILE } from "../../../domain/model/names.ts";
import { quote } from "../../../domain/model/quote.ts";
import type { Details, ReportDetail } from "../../../domain/reports/details.ts";
import type { Reference } from "../../../domain/reports/item-references.ts";
import type { Reading } from "../../../domain/reports/reading.ts";
import { LARGEST_COMPARED_PAGE } from "../../../domain/reviews/changes.ts";
import type { Change, Place } from "../../../html/changes/change.ts";
import type { ComparedPage } from "../../../html/changes/compare-pages.ts";
import { changesMarkdown } from "../../../html/changes/markdown.ts";
import type { ComparePages } from "../../http/changes/compare-thread.ts";
import { changedPaths, type Digests } from "../../http/changes/version-changes.ts";
import type { Mount } from "../mount.ts";

interface ChangesDependencies {
  details: Pick<Details, "describe" | "versions" | "report">;
  reading: Pick<Reading, "open">;
  comparePages: ComparePages;
}

type Query = QueryOf<typeof changesRoute>;

export function mountChanges(mount: Mount, { details, reading, comparePages }: ChangesDependencies): void {
  mount.guarded(changesRoute, async (caller, query) => {
    const { path = INDEX_FILE } = query;
    const reference: Reference = query.name === undefined ? { code: query.code ?? "" } : { name: query.name };
    const after = await details.report(caller, await newerCode(caller, reference, query), undefined);
    const before = await details.report(caller, await olderCode(caller, reference, query, after), undefined);
    const [oldPage, newPage] = await Promise.all([readPage(caller, before, path), readPage(caller, after, path)]);
    const comparison = await comparePages(caller.userId, { before: oldPage, after: newPage });
    return changesEntry(query, { before, after, path, comparison });
  });

  async function newerCode(caller: Caller, reference: Reference, { to, code }: Query): Promise<string> {
    if (to !== undefined) return codeOf(caller, reference, to, "to");
    return code ?? (await details.describe(caller, reference)).version.code;
  }

  async function olderCode(
    caller: Caller,
    reference: Reference,
    { from }: Query,
    after: ReportDetail,
  ): Promise<string> {
    if (from !== undefined) return codeOf(caller, reference, from, "from");
    const { versionNo, code } = after.version;
    const { versions } = await details.versions(caller, { code }, { beforeNo: versionNo, limit: 1 });
    const [previous] = versions;
    if (previous !== undefined) return previous.code;
    throw notFound(`Version ${versionNo} has no earlier version to compare with. Specify from.`);
  }

  /** Returns the code of a version that its number or its code names. */
  async function codeOf(caller: Caller, reference: Reference, given: string, field: string): Promise<string> {
    if (!/^\d+$/.test(given)) return given;
    const number = Number(given);
    if (number < 1 || number >= LAST_NUMBER) throw invalid(`${field} isn't a version number: ${quote(given)}.`);
    const { versions } = await details.versions(caller, reference, { beforeNo: number + 1, limit: 1 });
    const [version] = versions;
    if (version?.versionNo === number) return version.code;
    throw notFound(`The report has no version ${number}. Check the number in ${field}.`);
  }

  async function readPage(caller: Caller, detail: ReportDetail, path: string): Promise<ComparedPage> {
    const { version, files } = detail;
    const size = files.find((file) => file.path === path)?.size ?? 0;
    if (size > LARGEST_COMPARED_PAGE) {
      throw tooLarge(
        `${quote(path)} of version ${version.versionNo} has ${size} bytes. Pages of up to ${LARGEST_COMPARED_PAGE} bytes can be compared.`,
      );
    }
    const { content } = await reading.open(caller, version.code, path);
    const html = content instanceof Uint8Array ? new TextDecoder().decode(content) : await new Response(content).text();
    return { html, path, digests: digestsOf(detail) };
  }
}

const digestsOf = ({ files }: ReportDetail): Digests =>
  Object.fromEntries(files.map((file) => [file.path, file.digest]));

/** The largest number that the databases can store. */
const LAST_NUMBER = 2 ** 31 - 1;

interface Compared {
  before: ReportDetail;
  after: ReportDetail;
  path: string;
  comparison: Awaited<ReturnType<ComparePages>>;
}

function changesEntry(
  { format, anchors: withAnchors }: Query,
  { before, after, path, comparison }: Compared,
): ChangesEntry {
  const { changes, summary, isCut, isDrawnByScripts, anchors } = comparison;
  const title = `Version ${before.version.versionNo} → ${after.version.versionNo}`;
  const markdown = () => changesMarkdown({ title, summary: summary.sentence, changes, total: summary.total });
  return {
    from: { code: before.version.code, version_no: before.version.versionNo },
    to: { code: after.version.code, version_no: after.version.versionNo },
    path,
    rendered: false,
    drawn_by_scripts: isDrawnByScripts,
    changed_files: changedPaths(digestsOf(before), digestsOf(after)),
    summary: summary.sentence,
    total: summary.total,
    truncated: isCut,
    changes: changes.map((change, index) => ({
      ...changeEntry(change),
      ...(withAnchors === "true" ? { anchor: anchors[index] ?? null } : {}),
    })),
    ...(format === "markdown" ? { markdown: markdown() } : {}),
  };
}

const changeEntry = ({ oldPlace, newPlace, headings, ...change }: Change): ChangeEntry => ({
  ...change,
  headings: [...headings],
  old_place: placeEntry(oldPlace),
  new_place: placeEntry(newPlace),
});

const placeEntry = (place: Place | null): ChangeEntry["new_place"] => place && { ...place };
