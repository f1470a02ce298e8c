import { type Node, type Options, Parser, type Program } from "acorn";

declare module "acorn" {
  // Part of acorn's plugin interface, which its type file leaves out.
  interface Parser {
    parseStatement(context: string | null | undefined, topLevel?: boolean, exports?: object): Node;
  }
}

export interface ParsedScript {
  readonly program: Program;
  /** Every name that a declaration, a parameter or an import binds somewhere in the script. */
  readonly declared: ReadonlySet<string>;
}

const MAX_STATEMENT_DEPTH = 300;

const OPTIONS: Options = {
  ecmaVersion: "latest",
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  checkPrivateFields: false,
};

/**
 * Parses what a browser may or may not accept; throws for what no browser would. Acorn's checks for names declared twice and for
 * faults in regular expressions take quadratic time, as do labels and scopes that are nested deeply: someone else's script must
 * not be able to hold the server up, so the checks are switched off and the depth is limited.
 */
export function parseScript(source: string, sourceType: "script" | "module"): ParsedScript {
  return LenientParser.read(source, { ...OPTIONS, sourceType });
}

class LenientParser extends Parser {
  private readonly declared = new Set<string>();
  private depth = 0;

  private constructor(options: Options, source: string) {
    super(options, source);
  }

  static read(source: string, options: Options): ParsedScript {
    const parser = new LenientParser(options, source);
    return { program: parser.parse(), declared: parser.declared };
  }

  override parseStatement(context: string | null | undefined, topLevel?: boolean, exports?: object): Node {
    if (this.depth >= MAX_STATEMENT_DEPTH) throw new RangeError("Statements are nested too deeply");
    this.depth++;
    const statement = super.parseStatement(context, topLevel, exports);
    this.depth--;
    return statement;
  }

  protected declareName(name: string): void {
    this.declared.add(name);
  }

  protected checkLocalExport(): void {}

  protected validateRegExpFlags(): void {}

  protected validateRegExpPattern(): void {}
}
