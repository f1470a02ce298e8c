import { existsSync, readFileSync } from "node:fs";
import type { Client } from "pg";
import type { Line } from "../replicas/line.ts";
import type { PostgresServer } from "../support/postgres.ts";

/** A database server with a line to it, and a direct connection. */
export interface StallScene {
  postgres: PostgresServer;
  line: Line;
  admin: Client;
}

/** Makes the database stall. Resolves to a function that ends the stall. */
export type Stall = (scene: StallScene) => Promise<() => Promise<unknown>>;

/** Locks rows that every publish changes. */
export const lockWorkspaces: Stall = async ({ admin }) => {
  await admin.query("begin");
  await admin.query("select from workspaces for update");
  return () => admin.query("rollback");
};

export const lockVersions: Stall = async ({ admin }) => {
  await admin.query("begin");
  await admin.query("lock table versions in exclusive mode");
  return () => admin.query("rollback");
};

/** Stops all processes of the server with SIGSTOP. */
export const stopServer: Stall = async ({ postgres }) => {
  const [postmaster = ""] = readFileSync(`${postgres.directory}/data/postmaster.pid`, "utf8").split("\n");
  // Stops the main process first, so that it starts no others meanwhile.
  process.kill(Number(postmaster), "SIGSTOP");
  const children = childrenOf(postmaster);
  for (const pid of children) process.kill(pid, "SIGSTOP");
  return async () => {
    for (const pid of [Number(postmaster), ...children]) if (existsSync(`/proc/${pid}`)) process.kill(pid, "SIGCONT");
  };
};

const childrenOf = (pid: string): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number);

/** Drops all traffic without notice. */
export const silence: Stall = async ({ line }) => {
  line.stall();
  return async () => line.resume();
};

export const silenceBefore =
  (words: string): Stall =>
  async ({ line }) => {
    line.stallBefore(words);
    return async () => line.resume();
  };

export const cut: Stall = async ({ line }) => {
  line.cut();
  return async () => line.restore();
};
