import { type Node, type Options, Parser, type Program } from "acorn";
import { type Budget, TOKEN_STEPS } from "./budget.ts";

declare module "acorn" {
  // Part of acorn's plugin interface, which its type file leaves out.
  interface Parser {
    parseStatement(context: string | null | undefined, topLevel?: boolean, exports?: object): Node;
    parseMaybeAssign(forInit?: unknown, errors?: unknown, afterLeft?: unknown): Node;
    nextToken(): void;
  }
}

export interface ParsedScript {
  readonly program: Program;
  /** How often a declaration, a parameter or an import binds each name anywhere in the script. */
  readonly declared: ReadonlyMap<string, number>;
}

const MAX_STATEMENT_DEPTH = 300;
const MAX_EXPRESSION_DEPTH = 1_000;

const OPTIONS: Options = {
  ecmaVersion: "latest",
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  checkPrivateFields: false,
};

/** Thrown for a script that a browser may well run, but whose parts are nested too deeply to be read here. */
export class TooDeep extends Error {}

/**
 * Parses what a browser may or may not accept. Throws `OverBudget`, `TooDeep`, and a `SyntaxError` for what no browser would
 * accept. Acorn's checks for names declared twice and for faults in regular expressions take quadratic time, as do labels,
 * scopes and patterns that are nested deeply: someone else's script must not be able to hold the server up, so the checks are
 * switched off and the depth is limited.
 */
export function parseScript(source: string, sourceType: "script" | "module", budget: Budget): ParsedScript {
  return LenientParser.read(source, { ...OPTIONS, sourceType }, budget);
}

class LenientParser extends Parser {
  private readonly declared = new Map<string, number>();
  private readonly budget: Budget;
  private statementDepth = 0;
  private expressionDepth = 0;

  private constructor(options: Options, source: string, budget: Budget) {
    super(options, source);
    this.budget = budget;
  }

  static read(source: string, options: Options, budget: Budget): ParsedScript {
    budget.spendText(source.length);
    const parser = new LenientParser(options, source, budget);
    try {
      return { program: parser.parse(), declared: parser.declared };
    } catch (error) {
      // Chains of operators are read by recursion, too.
      throw error instanceof RangeError ? new TooDeep("The stack is full") : error;
    }
  }

  override nextToken(): void {
    this.budget.spend(TOKEN_STEPS);
    super.nextToken();
  }

  override parseStatement(context: string | null | undefined, topLevel?: boolean, exports?: object): Node {
    if (this.statementDepth >= MAX_STATEMENT_DEPTH) throw new TooDeep("Statements are nested too deeply");
    this.statementDepth++;
    const statement = super.parseStatement(context, topLevel, exports);
    this.statementDepth--;
    return statement;
  }

  override parseMaybeAssign(forInit?: unknown, errors?: unknown, afterLeft?: unknown): Node {
    if (this.expressionDepth >= MAX_EXPRESSION_DEPTH) throw new TooDeep("Expressions are nested too deeply");
    this.expressionDepth++;
    const expression = super.parseMaybeAssign(forInit, errors, afterLeft);
    this.expressionDepth--;
    return expression;
  }

  protected declareName(name: string): void {
    this.declared.set(name, (this.declared.get(name) ?? 0) + 1);
  }

  protected checkLocalExport(): void {}

  protected validateRegExpFlags(): void {}

  protected validateRegExpPattern(): void {}
}
