import { expect } from "bun:test";
import fc from "fast-check";
import {
  authorizeControlItem,
  authorizeControlVersion,
  authorizeModifyItem,
  readerIn,
} from "../../../src/domain/model/access.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import type { DocumentFindings } from "../../../src/domain/publishing/publish.ts";
import { buildPublication, failureOf, type Owner, type TestStore } from "../support.ts";
import { permanently } from "../trash/support.ts";
import { nastyFindings } from "./nasty-documents.ts";

const QUOTA = 100;

interface ModelVersion {
  code: string;
  versionNo: number;
  size: number;
}

interface ModelItem {
  owner: number;
  name: string | null;
  current: string;
  lastVersionNo: number;
  versions: ModelVersion[];
}

/** The state that the store should have, by the rules alone. */
export interface Model {
  items: ModelItem[];
  retired: string[];
}

export interface Real {
  shared: TestStore;
  owners: readonly Owner[];
  /** Makes names differ from those of other runs. */
  run: string;
}

type Command = fc.AsyncCommand<Model, Real>;

const storedBytes = ({ items }: Model, owner: number) =>
  items
    .filter((item) => item.owner === owner)
    .reduce((sum, { versions }) => sum + versions.reduce((bytes, { size }) => bytes + size, 0), 0);

const pick = <Thing>(things: readonly Thing[], position: number): Thing | undefined => things[position % things.length];

const ownerOf = (real: Real, position: number): Owner => {
  const owner = real.owners[position];
  if (owner === undefined) throw new Error("A command names an unknown owner.");
  return owner;
};

const kindOf = (error: unknown) => (error instanceof Failure ? error.kind : error);

async function findVersion({ shared }: Real, code: string) {
  const found = await shared.store.reports.findVersion(code);
  if (found === undefined) throw new Error(`The version ${code} is missing.`);
  return found;
}

/** Compares everything that the store holds for these owners with the model. */
async function expectSame(model: Model, real: Real): Promise<void> {
  const { rows } = real.shared;
  const items: ModelItem[] = [];
  for (const [owner, { workspaceId }] of real.owners.entries()) {
    const stored = await rows
      .selectFrom("items")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .orderBy("id")
      .execute();
    for (const { id, name, current_code, last_version_no } of stored) {
      const versions = await rows
        .selectFrom("versions")
        .select(["code", "version_no as versionNo", "size"])
        .where("item_id", "=", id)
        .orderBy("version_no")
        .execute();
      items.push({ owner, name, current: current_code, lastVersionNo: last_version_no, versions });
    }
    const workspace = rows.selectFrom("workspaces").select("stored_bytes").where("id", "=", workspaceId);
    expect(await workspace.executeTakeFirst()).toEqual({ stored_bytes: storedBytes(model, owner) });
  }
  const byCode = (things: readonly ModelItem[]) => things.toSorted((a, b) => a.current.localeCompare(b.current));
  expect(byCode(items)).toEqual(byCode(model.items));
  if (model.retired.length > 0) {
    const retired = await rows.selectFrom("retired_codes").select("code").where("code", "in", model.retired).execute();
    expect(retired.map(({ code }) => code).toSorted()).toEqual(model.retired.toSorted());
  }
}

class Publish implements Command {
  constructor(
    readonly owner: number,
    readonly name: string | null,
    readonly size: number,
    readonly findings: DocumentFindings,
  ) {}

  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    const name = this.name === null ? null : `${this.name}-${real.run}`;
    const publication = buildPublication(ownerOf(real, this.owner), {
      name: name ?? undefined,
      title: this.findings.title ?? "Untitled report",
      warnings: this.findings.warnings,
      size: this.size,
      quota: QUOTA,
    });
    const group = model.items.find((item) => name !== null && item.name === name);
    const outcome = await real.shared.store.publishing.publish(publication).catch(kindOf);
    if (group !== undefined && group.owner !== this.owner) expect(outcome).toBe("Conflict");
    else if (storedBytes(model, this.owner) + this.size > QUOTA) expect(outcome).toBe("QuotaFull");
    else expect(outcome).toMatchObject({ versionNo: this.accept(model, group, name, publication.code) });
    await expectSame(model, real);
  }

  private accept(model: Model, group: ModelItem | undefined, name: string | null, code: string): number {
    const versionNo = (group?.lastVersionNo ?? 0) + 1;
    const version = { code, versionNo, size: this.size };
    if (group === undefined) {
      model.items.push({ owner: this.owner, name, current: code, lastVersionNo: 1, versions: [version] });
    } else {
      group.versions.push(version);
      group.lastVersionNo = versionNo;
      group.current = code;
    }
    return versionNo;
  }

  toString = () =>
    `publish(owner ${this.owner}, ${this.name ?? "standalone"}, ${this.size} bytes, ${JSON.stringify(this.findings)})`;
}

class PublishRetired implements Command {
  constructor(readonly which: number) {}

  check = (model: Readonly<Model>) => model.retired.length > 0;

  async run(model: Model, real: Real): Promise<void> {
    const code = pick(model.retired, this.which);
    if (code === undefined) return;
    const publication = buildPublication(ownerOf(real, 0), { code, size: 0 });
    const failure = await failureOf(real.shared.store.publishing.publish(publication));
    expect(failure.message).toBe(`The code ${code} belonged to a deleted version.`);
    await expectSame(model, real);
  }

  toString = () => `publishRetired(${this.which})`;
}

class DeleteVersion implements Command {
  constructor(readonly which: number) {}

  check = (model: Readonly<Model>) => model.items.length > 0;

  async run(model: Model, real: Real): Promise<void> {
    const all = model.items.flatMap((item) => item.versions.map((version) => ({ item, version })));
    const chosen = pick(all, this.which);
    if (chosen === undefined) return;
    const { item, version } = chosen;
    const { caller } = ownerOf(real, item.owner);
    const found = authorizeControlVersion(caller, await findVersion(real, version.code));
    if (found === undefined) throw new Error("The owner may not delete a version.");
    const { trash } = real.shared.store;
    expect(await trash.deleteVersion({ found, ...permanently(1) })).toMatchObject({
      codes: expect.arrayContaining([version.code]),
    });
    expect(await trash.deleteVersion({ found, ...permanently(2) })).toBeUndefined();
    item.versions = item.versions.filter((other) => other !== version);
    model.retired.push(version.code);
    const highest = item.versions.at(-1);
    if (highest === undefined) model.items = model.items.filter((other) => other !== item);
    else if (item.current === version.code) item.current = highest.code;
    await expectSame(model, real);
  }

  toString = () => `deleteVersion(${this.which})`;
}

class DeleteItem implements Command {
  constructor(readonly which: number) {}

  check = (model: Readonly<Model>) => model.items.length > 0;

  async run(model: Model, real: Real): Promise<void> {
    const chosen = pick(model.items, this.which);
    if (chosen === undefined) return;
    const item = authorizeControlItem(ownerOf(real, chosen.owner).caller, await findVersion(real, chosen.current));
    if (item === undefined) throw new Error("The owner may not delete a report.");
    const { trash } = real.shared.store;
    const outcome = await trash.deleteItem({ item, ...permanently(1) });
    const codes = "codes" in outcome ? outcome.codes : [];
    expect(codes.toSorted()).toEqual(chosen.versions.map(({ code }) => code).toSorted());
    expect(await trash.deleteItem({ item, ...permanently(2) }).catch(kindOf)).toBe("NotFound");
    model.items = model.items.filter((other) => other !== chosen);
    model.retired.push(...codes);
    if (chosen.name !== null) expect(await real.shared.store.reports.findNamedReport(chosen.name)).toBeUndefined();
    await expectSame(model, real);
  }

  toString = () => `deleteItem(${this.which})`;
}

class Rename implements Command {
  constructor(
    readonly which: number,
    readonly name: string,
  ) {}

  check = (model: Readonly<Model>) => model.items.some(({ name }) => name !== null);

  async run(model: Model, real: Real): Promise<void> {
    const groups = model.items.filter(({ name }) => name !== null);
    const chosen = pick(groups, this.which);
    if (chosen === undefined) return;
    const newName = `${this.name}-${real.run}`;
    const item = authorizeModifyItem(ownerOf(real, chosen.owner).caller, await findVersion(real, chosen.current));
    if (item === undefined) throw new Error("The owner may not rename a report.");
    const outcome = await real.shared.store.reports.rename({ item, newName, now: 1 }).catch(kindOf);
    if (groups.some((other) => other !== chosen && other.name === newName)) {
      expect(outcome).toBe("Conflict");
    } else {
      expect(outcome).toBeUndefined();
      chosen.name = newName;
    }
    await expectSame(model, real);
  }

  toString = () => `rename(${this.which}, ${this.name})`;
}

class SetLatest implements Command {
  constructor(
    readonly which: number,
    readonly version: number,
  ) {}

  check = (model: Readonly<Model>) => model.items.length > 0;

  async run(model: Model, real: Real): Promise<void> {
    const chosen = pick(model.items, this.which);
    // Mostly one of the report's versions, because others are refused.
    const candidates = this.version % 4 === 0 ? model.items.flatMap(({ versions }) => versions) : chosen?.versions;
    const code = pick(candidates ?? [], this.version)?.code;
    if (chosen === undefined || code === undefined) return;
    const { caller } = ownerOf(real, chosen.owner);
    const item = authorizeModifyItem(caller, await findVersion(real, chosen.current));
    if (item === undefined) throw new Error("The owner may not change a report.");
    const change = { item, code, expectedCode: undefined, reader: readerIn(caller, item.workspaceId), now: 1 };
    const outcome = await real.shared.store.reports.rollBack(change).catch(kindOf);
    if (chosen.versions.some((version) => version.code === code)) {
      expect(outcome).toBeUndefined();
      chosen.current = code;
    } else {
      expect(outcome).toBe("Invalid");
    }
    await expectSame(model, real);
  }

  toString = () => `setLatest(${this.which}, ${this.version})`;
}

const names = fc.constantFrom("a", "b", "c");
const owners = fc.nat({ max: 1 });
const which = fc.nat({ max: 30 });

const publishing = fc.tuple(owners, names, fc.nat({ max: 4 }), nastyFindings).map((input) => new Publish(...input));
const publishingLarge = fc
  .tuple(owners, fc.option(names), fc.nat({ max: 40 }), nastyFindings)
  .map((input) => new Publish(...input));
const deletingVersion = which.map((input) => new DeleteVersion(input));
const pointing = fc.tuple(which, which).map((input) => new SetLatest(...input));

/** Sequences of everything that adds, moves or removes versions; frequent commands are listed repeatedly. */
export const commands = fc.commands<Model, Real, false>(
  [
    publishing,
    publishing,
    publishing,
    publishing,
    publishingLarge,
    deletingVersion,
    deletingVersion,
    pointing,
    pointing,
    which.map((input) => new DeleteItem(input)),
    which.map((input) => new PublishRetired(input)),
    fc.tuple(which, names).map((input) => new Rename(...input)),
  ],
  { maxCommands: 50, size: "max" },
);
