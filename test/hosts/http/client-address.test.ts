import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createClientAddress, isThisMachine } from "../../../src/hosts/http/client-address.ts";
import { readTrustedProxies } from "../../../src/settings/proxies.ts";
import { runsOf } from "../../support/runs.ts";

const find = createClientAddress(readTrustedProxies("127.0.0.0/8, ::1, 10.1.0.0/16, 192.0.2.7, fd00:1::/32"));

/** An address as it is counted, and the ways in which it may be written. */
interface Hop {
  counted: string;
  written: readonly string[];
}

const byte = fc.integer({ min: 0, max: 255 });
const hex = (number: number) => number.toString(16);

function ipv4(bytes: readonly number[]): Hop {
  const address = bytes.join(".");
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const mapped = `::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return {
    counted: address,
    written: [address, `${address}:80`, ` ${address} `, `::ffff:${address}`, mapped, `[${mapped}]:443`],
  };
}

function ipv6(groups: readonly number[]): Hop {
  const address = groups.map(hex).join(":");
  const long = groups.map((group) => hex(group).padStart(4, "0").toUpperCase()).join(":");
  const short = new URL(`http://[${address}]`).hostname;
  return {
    counted: short === "[::1]" ? "::1" : `${groups.slice(0, 4).map(hex).join(":")}::/64`,
    written: [address, long, short, short.slice(1, -1), `${short}:8080`, `${long}%eth0`],
  };
}

const group = fc.integer({ min: 0, max: 0xffff });
/** Addresses without the beginnings of trusted ones. */
const stranger = fc.oneof(
  fc.tuple(fc.constantFrom(8, 172, 198, 203), byte, byte, byte).map(ipv4),
  fc.tuple(fc.constantFrom(0x2001, 0xfe80), group, group, group, group, group, group, group).map(ipv6),
);
const proxy = fc.oneof(
  fc.tuple(fc.constant(127), byte, byte, byte).map(ipv4),
  fc.tuple(fc.constant(10), fc.constant(1), byte, byte).map(ipv4),
  fc.constant(ipv4([192, 0, 2, 7])),
  fc.constant(ipv6([0, 0, 0, 0, 0, 0, 0, 1])),
  fc.tuple(fc.constant(0xfd00), fc.constant(1), group, group, group, group, group, group).map(ipv6),
);
/** Writes an address in one of its ways. */
const written = (hop: fc.Arbitrary<Hop>) =>
  hop.chain((known) => fc.constantFrom(...known.written).map((text) => ({ ...known, text })));
const invention = fc.oneof(
  written(stranger).map(({ text }) => text),
  written(proxy).map(({ text }) => text),
  fc.constantFrom("", "unknown", "_hidden", "for=1.2.3.4", "999.1.1.1", "::/0"),
  fc.string({ maxLength: 20 }),
);
const numRuns = runsOf(1000);
const headerOf = (...parts: readonly string[]) => (parts.length === 0 ? null : parts.join(","));

describe("the client of a request", () => {
  test("is the one that the first trusted proxy names, whatever that client claims", () => {
    const property = fc.property(
      fc.array(invention, { maxLength: 5 }),
      written(stranger),
      fc.array(written(proxy), { minLength: 1, maxLength: 4 }),
      (inventions, client, proxies) => {
        const [peer = "", ...others] = proxies.map(({ text }) => text).toReversed();
        // A socket's address has no port.
        const plain = peer
          .trim()
          .replace(/^\[(.*)\]:\d+$|^\[(.*)\]$/, "$1$2")
          .replace(/^([\d.]+):\d+$/, "$1");
        expect(find(plain, headerOf(...inventions, client.text, ...others.toReversed()))).toBe(client.counted);
      },
    );
    fc.assert(property, { numRuns });
  });

  test("is the peer, if it isn't trusted, whatever it sends", () => {
    const property = fc.property(
      stranger,
      fc.array(invention, { maxLength: 5 }),
      ({ counted, written }, inventions) => {
        expect(find(written[0] ?? "", headerOf(...inventions))).toBe(counted);
      },
    );
    fc.assert(property, { numRuns });
  });

  test("is the last one that a trusted proxy named, if that is no address", () => {
    expect(find("127.0.0.1", "198.51.100.1, unknown")).toBe("127.0.0.1");
    expect(find("127.0.0.1", "198.51.100.1, unknown, 10.1.2.3")).toBe("10.1.2.3");
    expect(find("127.0.0.1", "")).toBe("127.0.0.1");
    expect(find("127.0.0.1", null)).toBe("127.0.0.1");
    expect(find("10.2.0.1", "198.51.100.1")).toBe("10.2.0.1");
  });

  test("is the first proxy, if all are trusted", () => {
    expect(find("127.0.0.1", "10.1.0.1, 127.0.0.1")).toBe("10.1.0.1");
  });

  test("is the peer, if no proxy is trusted", () => {
    const findAlone = createClientAddress([]);
    expect(findAlone("127.0.0.1", "198.51.100.1")).toBe("127.0.0.1");
    expect(createClientAddress(readTrustedProxies())("::ffff:127.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  });

  test("is the first in the list, if every network is trusted", () => {
    const findBehind = createClientAddress(readTrustedProxies("::/0"));
    expect(findBehind("10.2.0.1", "198.51.100.1, 2001:db8::1")).toBe("198.51.100.1");
    expect(createClientAddress(readTrustedProxies("0.0.0.0/0"))("10.2.0.1", "2001:db8::1, ::2")).toBe("0:0:0:0::/64");
    expect(createClientAddress(readTrustedProxies("::ffff:10.0.0.0/104"))("10.2.0.1", "203.0.113.9")).toBe(
      "203.0.113.9",
    );
  });

  test("is the same for all addresses of one customer's network", () => {
    expect(find("2001:db8:1:2::1", null)).toBe(find("2001:DB8:1:2:ffff::9", null));
    expect(find("2001:db8:1:2::1", null)).not.toBe(find("2001:db8:1:3::1", null));
    expect(find("::ffff:198.51.100.1", null)).toBe("198.51.100.1");
    expect(find("", null)).toBe("");
  });
});

describe("a client on this machine", () => {
  test.each([
    ["127.0.0.1", true],
    ["127.8.0.9", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["128.0.0.1", false],
    ["10.0.0.1", false],
    ["::2", false],
    ["::", false],
    ["2001:db8:1:2::/64", false],
    ["localhost", false],
    ["", false],
  ])("%s: %p", (client, isHere) => {
    expect(isThisMachine(client)).toBe(isHere);
    // In the form in which limits see it.
    expect(isThisMachine(createClientAddress([])(client, "198.51.100.1"))).toBe(isHere);
  });
});
