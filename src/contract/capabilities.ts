export * as audit from "./audit/topics.ts";
export * as cabinet from "./cabinet/topics.ts";
export * as operations from "./operations/topics.ts";
export * as people from "./people/topics.ts";
export * as publishing from "./publishing/topics.ts";
export * as reports from "./reports/topics.ts";
export * as search from "./search/topics.ts";
export * as tokens from "./tokens/topics.ts";
