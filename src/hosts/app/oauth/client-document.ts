import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { invalid } from "../../../domain/model/failure.ts";
import type { FetchClientDocument } from "../../../domain/oauth/ports.ts";

const DEADLINE = 5000;
const DOCUMENT_BYTES = 16 * 1024;

/** Networks that aren't the public internet (IANA special-purpose registries). */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
  ] as const),
  ...([
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
  ] as const),
  ...([
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const),
])
  PRIVATE.addSubnet(network, bits, "ipv4");

/** Global unicast. Everything else of IPv6 is local, reserved or stands for an IPv4 address. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
const NOT_GLOBAL = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  NOT_GLOBAL.addSubnet(network, bits, "ipv6");

/** Returns whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !PRIVATE.check(address, "ipv4");
  return isIP(address) === 6 && GLOBAL.check(address, "ipv6") && !NOT_GLOBAL.check(address, "ipv6");
}

interface Options {
  resolve?: (hostname: string) => Promise<readonly { address: string; family: number }[]>;
  mayReach?: (address: string) => boolean;
  /** Certificates to trust instead of the public ones. */
  ca?: string;
}

/**
 * Creates the fetcher of apps' metadata documents. It connects only to addresses that it has checked itself, so that a name
 * can't lead to this network, and follows no redirects.
 */
export function createClientDocuments({
  resolve = (hostname) => lookup(hostname, { all: true }),
  mayReach = isPublicAddress,
  ca,
}: Options = {}): FetchClientDocument {
  const checkedLookup: LookupFunction = (hostname, { all }, done) => {
    resolve(hostname).then(
      (found) => {
        const [first] = found;
        if (first === undefined || !found.every(({ address }) => mayReach(address)))
          done(new Error(`${hostname} isn't on the public internet.`), "");
        else if (all) done(null, [...found]);
        else done(null, first.address, first.family);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), ""),
    );
  };

  return async (url) => {
    // No lookup happens for a literal address.
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(literal) !== 0 && !mayReach(literal)) throw unreachable(url);
    const body = await new Promise<string>((resolveBody, reject) => {
      const sent = request(url, {
        lookup: checkedLookup,
        agent: false,
        signal: AbortSignal.timeout(DEADLINE),
        headers: { Accept: "application/json", "User-Agent": "Vitrine" },
        ...(ca === undefined ? {} : { ca }),
      });
      sent.on("response", (response) => readText(response).then(resolveBody, reject));
      sent.on("error", reject);
      sent.end();
    }).catch(() => {
      throw unreachable(url);
    });
    try {
      return JSON.parse(body);
    } catch {
      throw unreachable(url);
    }
  };
}

/** Returns one message for all reasons, so that it discloses nothing about this network. */
const unreachable = ({ href }: URL) =>
  invalid(`The app's description at ${href} can't be read. Try again later, or tell the app's maker.`);

async function readText(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`The answer has status ${response.statusCode}.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > DOCUMENT_BYTES) {
      response.destroy();
      throw new Error("The document is too large.");
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
