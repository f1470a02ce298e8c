export * as cabinet from "./cabinet/index.ts";
export * as live from "./live/index.ts";
export * as operations from "./operations/index.ts";
export * as people from "./people/index.ts";
export * as publishing from "./publishing/index.ts";
export * as reports from "./reports/index.ts";
export * as search from "./search/index.ts";
export * as tokens from "./tokens/index.ts";
