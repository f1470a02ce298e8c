import { describe, expect, test } from "bun:test";
import { readSurroundings } from "../../src/cli/surroundings.ts";

describe("what a client reads from its environment", () => {
  test("is nothing by itself", () => {
    expect(readSurroundings({ HOME: "/home/ada" }, "linux")).toMatchObject({
      url: undefined,
      token: undefined,
      hasDesktop: false,
    });
  });

  test("is taken without the blanks around it", () => {
    const environment = { VITRINE_URL: " https://a.example.org ", VITRINE_TOKEN: " vtr_x\n", DISPLAY: ":0" };
    expect(readSurroundings(environment, "linux")).toMatchObject({
      url: "https://a.example.org",
      token: "vtr_x",
      hasDesktop: true,
    });
  });

  test("NO_COLOR and a terminal that knows none leave colours away", () => {
    const isColourful = (environment: Record<string, string>) => readSurroundings(environment).output.isColourful;
    expect([{}, { NO_COLOR: "" }, { NO_COLOR: "1" }, { TERM: "dumb" }].map(isColourful)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each<[NodeJS.Platform, Record<string, string>, string]>([
    ["linux", { HOME: "/home/ada" }, "/home/ada/.config/vitrine/credentials.json"],
    ["linux", { HOME: "/home/ada", XDG_CONFIG_HOME: "/etc/ada" }, "/etc/ada/vitrine/credentials.json"],
    ["linux", { HOME: "/home/ada", XDG_CONFIG_HOME: "relative" }, "/home/ada/.config/vitrine/credentials.json"],
    ["darwin", { HOME: "/Users/ada" }, "/Users/ada/Library/Application Support/vitrine/credentials.json"],
    ["win32", { APPDATA: "/ada/Roaming" }, "/ada/Roaming/vitrine/credentials.json"],
  ])("on %s with %p credentials lie in %s", (platform, environment, path) => {
    expect(readSurroundings(environment, platform).credentialsFile).toBe(path);
  });
});
