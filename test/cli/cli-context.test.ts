import { describe, expect, test } from "bun:test";
import { readCliContext } from "../../src/cli/cli-context.ts";

describe("the context of commands", () => {
  test("is empty without variables", () => {
    expect(readCliContext({ HOME: "/home/ada" }, "linux")).toMatchObject({
      url: undefined,
      token: undefined,
      hasDesktop: false,
    });
  });

  test("ignores white space around values", () => {
    const environment = { VITRINE_URL: " https://a.example.org ", VITRINE_TOKEN: " vtr_x\n", DISPLAY: ":0" };
    expect(readCliContext(environment, "linux")).toMatchObject({
      url: "https://a.example.org",
      token: "vtr_x",
      hasDesktop: true,
    });
  });

  test("has no colors with NO_COLOR or a dumb terminal", () => {
    const usesColor = (environment: Record<string, string>) => readCliContext(environment).output.usesColor;
    expect([{}, { NO_COLOR: "" }, { NO_COLOR: "1" }, { TERM: "dumb" }].map(usesColor)).toEqual([
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
  ])("on %s with %p stores credentials in %s", (platform, environment, path) => {
    expect(readCliContext(environment, platform).credentialsFile).toBe(path);
  });
});
