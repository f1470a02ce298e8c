export * as audit from "./audit/mount.ts";
export * as cabinet from "./cabinet/mount.ts";
export * as operations from "./operations/mount.ts";
export * as people from "./people/mount.ts";
export * as publishing from "./publishing/mount.ts";
export * as reports from "./reports/mount.ts";
export * as search from "./search/mount.ts";
export * as tokens from "./tokens/mount.ts";
