import type { AnyNode, Program } from "acorn";
import { type Budget, OverBudget } from "../budget.ts";
import type { ScriptKind } from "../document.ts";
import type { PageFacts } from "../warnings/findings.ts";
import { type Guard, type Holder, hasPlace, walkTo } from "./guards.ts";
import { findMentions, findPopups, hasImports } from "./mentions.ts";
import { type ParsedScript, parseScript, TooDeep } from "./parser.ts";
import { importUse, type Use, UseFinder } from "./uses.ts";

/** A use with the code around it. */
interface FoundUse {
  readonly use: Use;
  readonly guard: Guard;
}

/** A name with more references counts as unsafe. */
const MAX_REFERENCES = 200;
const MAX_CALL_DEPTH = 3;
/** The functions whose callers are searched for, since each search scans the script. */
const MAX_NAMES = 50;
const MAX_TEST_LENGTH = 1_000;
const WORD = /[A-Za-z_$][\w$]*/g;

/**
 * Returns the uses in a script that are not guarded against failure, in ascending order. Prefers missing a use to a false
 * alarm: a name that the script declares anywhere is not the browser's, and a script with a syntax error has no uses. Throws
 * `OverBudget` and `TooDeep`.
 */
export function findInScript(source: string, kind: ScriptKind, facts: PageFacts, budget: Budget): Use[] {
  budget.spendText(source.length);
  const mentions = findMentions(source, facts);
  if (mentions.length === 0 && !hasImports(source, kind)) return [];
  const script = tryParse(source, kind, budget);
  return script === undefined ? [] : new UseSearch(source, script, mentions, budget).run();
}

function tryParse(source: string, kind: ScriptKind, budget: Budget): ParsedScript | undefined {
  try {
    return parseScript(source, kind === "module" ? "module" : "script", budget);
  } catch (error) {
    if (error instanceof OverBudget || error instanceof TooDeep) throw error;
    return undefined;
  }
}

class UseSearch {
  private readonly source: string;
  private readonly program: Program;
  private readonly declared: ReadonlyMap<string, number>;
  private readonly mentions: readonly number[];
  private readonly budget: Budget;
  private readonly found: FoundUse[] = [];
  /** The names of functions and variables that test whether a use works. */
  private readonly probes = new Map<string, Set<Use["what"]>>();
  private readonly placesByUse = new Map<Use["what"], number[]>();
  private readonly safeNames = new Map<string, boolean>();

  constructor(source: string, script: ParsedScript, mentions: readonly number[], budget: Budget) {
    this.source = source;
    this.program = script.program;
    this.declared = script.declared;
    this.mentions = mentions;
    this.budget = budget;
  }

  run(): Use[] {
    const finder = new UseFinder(this.declared, findPopups(this.source));
    const imports = this.program.body.flatMap(staticImport);
    walkTo(
      this.mentions,
      this.program,
      (node, guard) => {
        for (const use of finder.usesIn(node)) this.found.push({ use, guard });
      },
      this.budget,
    );
    for (const { use } of this.found.toSorted((one, other) => one.use.at - other.use.at)) {
      const places = this.placesByUse.get(use.what) ?? [];
      this.placesByUse.set(use.what, places);
      places.push(use.at);
    }
    for (const { use, guard } of this.found) if (isGuarded(use, guard)) this.noteProbe(use, guard.holder);
    const unguarded = this.found.filter((each) => !this.isSafe(each)).map(({ use }) => use);
    return [...imports, ...unguarded].sort((one, other) => one.at - other.at);
  }

  private noteProbe(use: Use, holder: Holder | undefined): void {
    for (const each of outward(holder)) {
      if (each.name === undefined) continue;
      const known = this.probes.get(each.name) ?? new Set();
      this.probes.set(each.name, known.add(use.what));
      // Functions further out do more than this test.
      if (each.isFunction) return;
    }
  }

  private isSafe({ use, guard }: FoundUse): boolean {
    return (
      isGuarded(use, guard) || this.isTried(use, guard) || this.isProbed(use, guard) || this.isHeldSafely(use, guard)
    );
  }

  /** Returns whether an earlier `try` of the same use prevents this one after a failure. */
  private isTried({ what }: Use, { trial }: Guard): boolean {
    const places = this.placesByUse.get(what) ?? [];
    for (const each of outward(trial)) {
      if (hasPlace(places, each.block)) return true;
    }
    return false;
  }

  /** Returns whether a condition depends on a test that this use works. */
  private isProbed({ what }: Use, { condition }: Guard): boolean {
    if (this.probes.size === 0) return false;
    for (const each of outward(condition)) {
      const { start, end } = each.test;
      const words = this.source.slice(start, Math.min(end, start + MAX_TEST_LENGTH)).match(WORD) ?? [];
      if (words.some((word) => this.probes.get(word)?.has(what))) return true;
    }
    return false;
  }

  private isHeldSafely(use: Use, { holder }: Guard, depth = 0): boolean {
    for (const each of outward(holder)) {
      if (
        each.isFunction &&
        each.name !== undefined &&
        this.isUsedSafely(each.name, use.isLater === true || each.isAsync, depth)
      )
        return true;
    }
    return false;
  }

  /** Returns whether a name has one declaration and is used only where errors are caught. */
  private isUsedSafely(name: string, isLater: boolean, depth: number): boolean {
    if (depth >= MAX_CALL_DEPTH || this.declared.get(name) !== 1) return false;
    const key = `${name} ${isLater}`;
    const known = this.safeNames.get(key);
    if (known !== undefined) return known;
    if (this.safeNames.size === MAX_NAMES) return false;
    // A recursive function is as safe as its other callers.
    this.safeNames.set(key, true);
    const isUsed = this.areReferencesSafe(name, isLater, depth);
    this.safeNames.set(key, isUsed);
    return isUsed;
  }

  private areReferencesSafe(name: string, isLater: boolean, depth: number): boolean {
    const places = this.placesOf(name);
    if (places === undefined) return false;
    let count = 0;
    let isSafe = true;
    const visit = (node: AnyNode, guard: Guard): void => {
      if (node.type !== "Identifier" || node.name !== name || this.isWithinItself(guard, name)) return;
      count++;
      const isCaught = guard.catches || (isLater && guard.handles);
      isSafe &&= isCaught || this.isCalledSafely(guard, isLater, depth);
    };
    walkTo(places, this.program, visit, this.budget);
    return isSafe && count > 0;
  }

  private isWithinItself({ holder }: Guard, name: string): boolean {
    for (const each of outward(holder)) if (each.name === name) return true;
    return false;
  }

  private isCalledSafely({ holder }: Guard, isLater: boolean, depth: number): boolean {
    for (const each of outward(holder)) {
      if (each.isFunction && each.name !== undefined && this.isUsedSafely(each.name, isLater, depth + 1)) return true;
    }
    return false;
  }

  private placesOf(name: string): number[] | undefined {
    const places: number[] = [];
    this.budget.spendText(this.source.length);
    for (let at = this.source.indexOf(name); at !== -1; at = this.source.indexOf(name, at + name.length)) {
      places.push(at);
      if (places.length > MAX_REFERENCES) return undefined;
    }
    return places;
  }
}

const isGuarded = ({ isLater }: Use, { catches, handles }: Guard): boolean => catches || (isLater === true && handles);

function staticImport(statement: AnyNode): Use[] {
  if (!("source" in statement)) return [];
  const { source, start } = statement;
  return typeof source === "object" && source !== null && "type" in source ? importUse("import", source, start) : [];
}

/** The containers, conditions or `try` statements around a place that are considered. */
const MAX_AROUND = 50;

function* outward<Around extends { readonly outer: Around | undefined }>(
  innermost: Around | undefined,
): Generator<Around> {
  let each = innermost;
  for (let count = 0; each !== undefined && count < MAX_AROUND; count++) {
    yield each;
    each = each.outer;
  }
}
