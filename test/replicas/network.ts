import { spawnSync } from "node:child_process";

/** A separate network for a program, with two lines to this machine: one for requests to it, one for its own requests. */
export interface Network extends Disposable {
  /** Put before a command to run it there. */
  within: readonly string[];
  front: Line;
  back: Line;
  /** Drops everything on the back line without notice. */
  cut(): void;
  restore(): void;
}

/** The addresses at its two ends. */
interface Line {
  here: string;
  there: string;
}

let made = 0;

export function createNetwork(): Network {
  // Device names have at most 15 characters and are shared by the whole machine.
  const name = `vt${process.pid}n${++made}`;
  const prefix = `10.${200 + (process.pid % 50)}.${made % 250}`;
  const front = { here: `${prefix}.1`, there: `${prefix}.2` };
  const back = { here: `${prefix}.5`, there: `${prefix}.6` };
  const network: Network = {
    within: ["ip", "netns", "exec", name],
    front,
    back,
    cut: () => ip("link", "set", `${name}b`, "down"),
    restore: () => ip("link", "set", `${name}b`, "up"),
    [Symbol.dispose]() {
      spawnSync("ip", ["netns", "delete", name]);
      for (const end of ["f", "b"]) spawnSync("ip", ["link", "delete", `${name}${end}`]);
    },
  };
  try {
    ip("netns", "add", name);
    ip("-n", name, "link", "set", "lo", "up");
    connect(name, "f", front);
    connect(name, "b", back);
    return network;
  } catch (error) {
    network[Symbol.dispose]();
    throw error;
  }
}

function connect(name: string, end: "f" | "b", { here, there }: Line): void {
  const [outer, inner] = [`${name}${end}`, `${name}${end}i`];
  ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", name);
  ip("address", "add", `${here}/30`, "dev", outer);
  ip("link", "set", outer, "up");
  ip("-n", name, "address", "add", `${there}/30`, "dev", inner);
  ip("-n", name, "link", "set", inner, "up");
}

function ip(...args: readonly string[]): void {
  const { status, error, stderr } = spawnSync("ip", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(error?.message ?? `ip ${args.join(" ")}: ${stderr.trim()}`);
}

/** Returns why there can be no such network here, or undefined. */
export function networkUnavailable(): string | undefined {
  try {
    createNetwork()[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return `no network of its own can be made here (it takes root and iproute2): ${error instanceof Error ? error.message : error}`;
  }
}
