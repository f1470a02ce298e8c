export * from "../src/client/client.ts";
export * from "../src/client/routes.ts";
