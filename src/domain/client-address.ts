/** What counts as this machine. */
export const LOOPBACK_NETWORKS: readonly string[] = ["127.0.0.0/8", "::1"];

const GROUP_BITS = 16;
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const IPV6 = /^[\da-f:]*:[\da-f:.]*$/i;
/** Of IPv4 addresses dressed as IPv6. */
const MAPPED: readonly number[] = [0, 0, 0, 0, 0, 0xffff];
const MAPPED_BITS = 96;
const LOOPBACK: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 1];
/** Groups of an IPv6 address that a network gives to one customer or host, who then has all addresses below it. */
const CUSTOMER_GROUPS = 4;

/** The eight groups of an IPv6 address; IPv4 is among them, as mapped. */
type Address = readonly number[];

interface Network {
  address: Address;
  /** How many of its bits are those of all its addresses. */
  bits: number;
}

/** Whether a text is an address, or a network such as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined;

/**
 * Whose request it is, for limits, by the peer's address and the `X-Forwarded-For` header. Each proxy adds at the end whom
 * it got the request from, so what a trusted one has added last is believed, and whatever stands before an address that
 * is not trusted is that one's own invention. IPv6 addresses are told apart by their first 64 bits.
 */
export function createClientAddress(trusted: readonly string[]) {
  const proxies = trusted.map(parseNetwork).filter((network) => network !== undefined);
  const isProxy = (address: Address) => proxies.some((network) => isWithin(network, address));

  return (peer: string, forwardedFor: string | null): string => {
    let client = parseAddress(peer);
    if (client === undefined) return peer;
    const hops = forwardedFor?.split(",") ?? [];
    while (hops.length > 0 && isProxy(client)) {
      const named = parseAddress(withoutPort(hops.pop()?.trim() ?? ""));
      if (named === undefined) break;
      client = named;
    }
    return counted(client);
  };
}

/** Tells whether an address that was found for a client is this machine's own. */
export function isThisMachine(client: string): boolean {
  const address = parseAddress(client);
  const networks = LOOPBACK_NETWORKS.map(parseNetwork).filter((network) => network !== undefined);
  return address !== undefined && networks.some((network) => isWithin(network, address));
}

function parseNetwork(text: string): Network | undefined {
  const [, written = "", length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(written);
  if (address === undefined) return undefined;
  const offset = IPV4.test(written) ? MAPPED_BITS : 0;
  const bits = length === undefined ? address.length * GROUP_BITS : Number(length) + offset;
  return bits <= address.length * GROUP_BITS ? { address, bits } : undefined;
}

function isWithin({ address, bits }: Network, other: Address): boolean {
  return address.every((group, position) => {
    const counting = Math.min(Math.max(bits - position * GROUP_BITS, 0), GROUP_BITS);
    return (group ^ (other[position] ?? 0)) >> (GROUP_BITS - counting) === 0;
  });
}

function parseAddress(text: string): Address | undefined {
  const bytes = IPV4.exec(text)?.slice(1).map(Number);
  if (bytes !== undefined) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes;
    return bytes.every((byte) => byte < 256) ? [...MAPPED, a * 256 + b, c * 256 + d] : undefined;
  }
  const address = text.replace(/%.*$/, "");
  const url = `http://[${address}]`;
  return IPV6.test(address) && URL.canParse(url) ? groupsOf(new URL(url).hostname.slice(1, -1)) : undefined;
}

/** Of an address in its shortest form, in which no IPv4 is left at its end. */
function groupsOf(address: string): Address {
  const [head = "", tail = ""] = address.split("::");
  const parse = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [parse(head), parse(tail)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/** Some proxies add `198.51.100.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? text.replace(/^([\d.]+):\d+$/, "$1");
}

function counted(address: Address): string {
  const [high = 0, low = 0] = address.slice(-2);
  const isIpv4 = MAPPED.every((group, position) => group === address[position]);
  if (isIpv4) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  if (address.every((group, position) => group === LOOPBACK[position])) return "::1";
  const groups = address.slice(0, CUSTOMER_GROUPS).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}
