import { type ComparedPage, comparePages, type PageComparison } from "../../../html/changes/compare-pages.ts";
import { serveCalls } from "../../../threads/serve-calls.ts";

export interface ComparedPages {
  before: ComparedPage;
  after: ComparedPage;
}

export type CompareCalls = {
  compare(pages: ComparedPages): PageComparison;
  warmUp(input: undefined): undefined;
};

serveCalls<undefined, CompareCalls>(() => ({
  handlers: { compare: ({ before, after }) => comparePages(before, after), warmUp: () => undefined },
}));
