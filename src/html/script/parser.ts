import { type Node, type Options, Parser, type Program } from "acorn";
import { type Budget, TOKEN_STEPS } from "../budget.ts";

declare module "acorn" {
  // Part of acorn's plugin interface, but missing in its types.
  interface Parser {
    parseStatement(context: string | null | undefined, topLevel?: boolean, exports?: object): Node;
    parseMaybeAssign(forInit?: unknown, errors?: unknown, afterLeft?: unknown): Node;
    nextToken(): void;
  }
}

export interface ParsedScript {
  readonly program: Program;
  /** The number of declarations, parameters and imports anywhere in the script that bind each name. */
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

/** Thrown for a script that is nested too deeply to read here, although a browser may run it. */
export class TooDeep extends Error {}

/**
 * Parses a script. Throws `OverBudget`, `TooDeep`, and `SyntaxError` for what no browser accepts. Acorn takes quadratic time
 * to check for duplicate declarations and faulty regular expressions, and for deeply nested labels, scopes and patterns. To
 * keep one upload from blocking the server, this parser omits the checks and limits the depth.
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
      // Acorn also reads chains of operators by recursion.
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
