import type { Caller } from "../../../domain/model/entities.ts";
import { Failure, notFound } from "../../../domain/model/failure.ts";
import type { Details, ReportDetail } from "../../../domain/reports/details.ts";
import type { Reference } from "../../../domain/reports/item-references.ts";
import type { Reading } from "../../../domain/reports/reading.ts";
import { LARGEST_COMPARED_PAGE } from "../../../domain/reviews/changes.ts";
import type { Thread } from "../../../domain/reviews/ports.ts";
import type { PlaceAnchors } from "./place-thread.ts";
import type { FoundPlace } from "./place-worker.ts";

/** Places that are remembered. Neither an anchor nor the files of a version ever change. */
const REMEMBERED = 5_000;

interface Dependencies {
  details: Pick<Details, "describe" | "versions" | "report">;
  reading: Pick<Reading, "open">;
  placeAnchors: PlaceAnchors;
}

/** Creates the finder of threads' places in a version, as far as its files tell. */
export function createPlaces({ details, reading, placeAnchors }: Dependencies) {
  const remembered = new Map<string, FoundPlace>();

  /** Returns the places by the threads' IDs. Throws `NotFound` unless the caller may read the version; 0 is the current one. */
  async function find(
    caller: Caller,
    reference: Reference,
    { versionNo, threads }: { versionNo: number; threads: readonly Thread[] },
  ): Promise<Map<string, FoundPlace>> {
    const report = await details.report(caller, await codeOf(caller, reference, versionNo), undefined);
    const known = threads.map((thread) => [thread, knownPlace(report, thread)] as const);
    const places = new Map<string, FoundPlace>();
    for (const [{ id }, place] of known) if (place !== undefined) places.set(id, place);
    const unknown = known.filter(([, place]) => place === undefined).map(([thread]) => thread);
    const sought = Map.groupBy(unknown, ({ anchor }) => (anchor.kind === "report" ? "" : anchor.path));
    for (const [path, group] of sought) {
      const found = await placeIn(caller, report, { path, group });
      for (const [index, thread] of group.entries()) places.set(thread.id, found[index] ?? { kind: "unknown" });
    }
    return places;
  }

  const knownPlace = (report: ReportDetail, thread: Thread): FoundPlace | undefined =>
    thread.anchor.kind === "report" ? { kind: "exact" } : remembered.get(keyOf(report, thread));

  async function codeOf(caller: Caller, reference: Reference, versionNo: number): Promise<string> {
    if (versionNo === 0) return (await details.describe(caller, reference)).version.code;
    const { versions } = await details.versions(caller, reference, { beforeNo: versionNo + 1, limit: 1 });
    const [version] = versions;
    if (version?.versionNo === versionNo) return version.code;
    throw notFound(`The report has no version ${versionNo}. Check the number in version.`);
  }

  async function placeIn(
    caller: Caller,
    report: ReportDetail,
    { path, group }: { path: string; group: readonly Thread[] },
  ): Promise<FoundPlace[]> {
    const file = report.files.find((candidate) => candidate.path === path);
    if (file === undefined) return group.map(() => ({ kind: "gone" }));
    if (file.size > LARGEST_COMPARED_PAGE) return [];
    const { content } = await reading.open(caller, report.version.code, path);
    const html = content instanceof Uint8Array ? new TextDecoder().decode(content) : await new Response(content).text();
    try {
      const found = await placeAnchors(caller.userId, { html, anchors: group.map(({ anchor }) => anchor) });
      for (const [index, thread] of group.entries()) remember(keyOf(report, thread), found[index]);
      return found;
    } catch (error) {
      // The comments are worth more than their places.
      if (error instanceof Failure && error.kind === "Unavailable") return [];
      throw error;
    }
  }

  function remember(key: string, place: FoundPlace | undefined): void {
    if (place === undefined) return;
    remembered.set(key, place);
    if (remembered.size <= REMEMBERED) return;
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest);
      return;
    }
  }

  return { find };
}

const keyOf = ({ version }: ReportDetail, { id }: Thread) => `${version.code} ${id}`;
