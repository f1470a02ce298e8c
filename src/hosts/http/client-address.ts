import type { Server } from "bun";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

/** An address and how many of its first bits all addresses of the network share. */
type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Returns the address of a request's client, for limits. */
export type FindAddress = <Data>(request: Request, server: Server<Data>) => string;

/** How many bits stand before the IPv4 address in an IPv6 address that is mapped to it. */
const MAPPED_BITS = 96;
/** Groups of an IPv6 address that a network assigns to one customer or machine, who has all addresses below it. */
const CUSTOMER_GROUPS = 4;
const REMEMBERED_HOPS = 10_000;
/** Characters of the longest IPv6 address, with room for a zone. */
const LONGEST_ADDRESS = 64;

/** Returns a function that finds a request's client behind these proxies. */
export function createFindAddress(trustedProxies: readonly Network[]): FindAddress {
  const clientAddress = createClientAddress(trustedProxies);
  return (request, server) =>
    clientAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"));
}

/**
 * Returns a function that finds a request's client from the peer's address and the `X-Forwarded-For` header. Each proxy
 * appends the address it got the request from, so the entry that a trusted proxy appended is believed; everything before
 * an address that isn't trusted may be forged. IPv6 clients are distinguished by their first 64 bits.
 */
export function createClientAddress(trustedProxies: readonly Network[]) {
  const proxies = trustedProxies.map(mappedNetwork);
  // Parsing takes ten times as long as a look-up, and most requests come from a few addresses.
  const known = new LRUCache<string, Hop>({ max: REMEMBERED_HOPS });

  function readHop(text: string): Hop | undefined {
    const remembered = known.get(text);
    if (remembered !== undefined || text.length > LONGEST_ADDRESS) return remembered;
    const address = parseAddress(text);
    if (address === undefined) return undefined;
    const isProxy = proxies.some(([network, bits]) => address.match(network, bits));
    const hop = { counted: describe(address), isProxy };
    known.set(text, hop);
    return hop;
  }

  return (peer: string, forwardedFor: string | null): string => {
    let client = readHop(peer);
    if (client === undefined) return peer;
    const hops = forwardedFor?.split(",") ?? [];
    while (hops.length > 0 && client.isProxy) {
      const named = readHop(withoutPort(hops.pop()?.trim() ?? ""));
      if (named === undefined) break;
      client = named;
    }
    return client.counted;
  };
}

/** The sender of a request, or one of the proxies that passed it on. */
interface Hop {
  /** The text under which limits count it. */
  counted: string;
  isProxy: boolean;
}

/** Returns whether an address that was found for a client is one of this machine. */
export function isThisMachine(client: string): boolean {
  const address = parseAddress(client);
  if (address === undefined) return false;
  return (address.isIPv4MappedAddress() ? address.toIPv4Address() : address).range() === "loopback";
}

/** Returns an address as IPv6, an IPv4 one mapped to it, so that all addresses compare alike. */
function parseAddress(text: string): ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toIPv4MappedAddress();
  const address = text.replace(/%.*$/, "");
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : undefined;
}

const mappedNetwork = ([address, bits]: Network): [ipaddr.IPv6, number] =>
  address instanceof ipaddr.IPv4 ? [address.toIPv4MappedAddress(), bits + MAPPED_BITS] : [address, bits];

/** Removes the port from `198.51.100.1:4711` and `[2001:db8::1]:4711`, which some proxies send. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? text.replace(/^([\d.]+):\d+$/, "$1");
}

/** Returns the text under which limits count a client. */
function describe(address: ipaddr.IPv6): string {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  if (address.range() === "loopback") return "::1";
  const groups = address.parts.slice(0, CUSTOMER_GROUPS).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}
