import ipaddr from "ipaddr.js";
import { SettingError } from "./setting-error.ts";

/** An address and how many of its first bits all addresses of the network share. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

const LOOPBACK = "127.0.0.0/8,::1";

/** Reads the reverse proxies to trust, by default those on this machine. Throws `SettingError` on the first wrong one. */
export function readTrustedProxies(value = LOOPBACK): readonly Network[] {
  return value === "none" ? [] : value.split(",").map((network) => readNetwork(network.trim()));
}

function readNetwork(text: string): Network {
  const network = text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;
  // Other notations that the library reads, such as 0x7f.1, are more likely mistakes.
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(network)) return ipaddr.IPv4.parseCIDR(network);
  if (ipaddr.IPv6.isValidCIDR(network) && !network.includes("%")) return ipaddr.IPv6.parseCIDR(network);
  throw new SettingError(`VITRINE_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${text}".`);
}
