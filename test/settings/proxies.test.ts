import { describe, expect, test } from "bun:test";
import { readTrustedProxies } from "../../src/settings/proxies.ts";
import { SettingError } from "../../src/settings/setting-error.ts";

const read = (text: string) => readTrustedProxies(text).map(([address, bits]) => `${address}/${bits}`);

describe("trusted proxies", () => {
  test.each([
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.0.0.1", "10.0.0.1/32"],
    ["::1", "::1/128"],
    ["fd00::/8", "fd00::/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::/0", "::/0"],
    ["::ffff:10.0.0.1", "::ffff:a00:1/128"],
    ["2001:db8::/128", "2001:db8::/128"],
  ])("can be %s", (text, network) => expect(read(text)).toEqual([network]));

  test("are a list, this machine, or none", () => {
    expect(read(" 10.0.0.1 ,::1")).toEqual(["10.0.0.1/32", "::1/128"]);
    expect(readTrustedProxies().map(String)).toEqual(readTrustedProxies("127.0.0.0/8,::1").map(String));
    expect(read("none")).toEqual([]);
  });

  test.each([
    "",
    "localhost",
    "10.0.0",
    "10.0.0.0/33",
    "0x7f.0.0.1",
    "010.0.0.1",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "fe80::1%eth0",
    "10.0.0.0/-1",
    "10.0.0.1,",
  ])("cannot be %j", (text) => expect(() => readTrustedProxies(text)).toThrow(SettingError));
});
