import { describe, expect, test } from "bun:test";
import { commandsIn, vitrine } from "../support/cli.ts";

/** Words that the help of each command must contain. */
const HELP: readonly [command: string, named: readonly string[]][] = [
  [
    "",
    [
      "serve",
      "settings",
      "doctor",
      "publish",
      "users",
      "orgs",
      "workspaces",
      "tokens",
      "sessions",
      "plans",
      "blobs",
      "db",
      "completion",
      "help",
      "--version",
      "--help",
    ],
  ],
  ["", ["login", "logout", "whoami", "list", "search", "show", "versions", "open", "get", "diff"]],
  ["", ["set-latest", "visibility", "storage", "title", "rename", "file", "tag", "delete"]],
  ["serve", ["--data-dir", "--host", "--port", "--content-port", "--base-url", "--content-url", "--database-url"]],
  ["serve", ["--default-plan", "--quota-free", "--quota-pro", "--rate-limit", "VITRINE_DATA_DIR"]],
  [
    "publish",
    ["<path...>", "--name", "--title", "--message", "--folder", "--public", "--url", "VITRINE_TOKEN", "VITRINE_URL"],
  ],
  ["publish", ["--visibility", "--tag", "--owner", "--flatten", "--open", "--watch", "--json", "--quiet"]],
  ["settings", ["--json"]],
  ["doctor", ["--json"]],
  ["users", ["create", "list", "show", "disable", "enable", "reset-password", "delete", "grant-operator"]],
  ["users", ["revoke-operator"]],
  ["users create", ["--email", "--slug", "--name", "--plan", "--password", "--init"]],
  ["users list", ["--contains", "--state", "--json"]],
  ["users delete", ["--yes"]],
  ["orgs", ["create", "list", "show", "add-member", "set-role", "remove-member", "delete"]],
  ["orgs create", ["--slug", "--name", "--owner", "--plan"]],
  ["orgs add-member", ["--org", "--user", "--role"]],
  ["tokens", ["create", "list", "revoke"]],
  ["tokens create", ["--user", "--workspace", "--scopes", "reports:read", "reports:delete", "--name", "--expires"]],
  ["workspaces", ["list", "transfer", "delete"]],
  ["workspaces list", ["--by", "--json"]],
  ["sessions end", ["--user", "--all"]],
  ["tokens list", ["--user", "--json"]],
  ["tokens revoke", ["<id>", "--user"]],
  ["plans", ["set"]],
  ["plans set", ["--workspace", "--plan"]],
  ["blobs", ["copy", "adopt", "damaged", "sweep"]],
  ["blobs adopt", ["--yes", "VITRINE_DATA_DIR", "VITRINE_ORPHAN_DAYS"]],
  ["blobs damaged", ["--check", "--json", "VITRINE_SCRUB_DAYS"]],
  ["blobs sweep", ["--confirm", "--json", "VITRINE_DATA_DIR", "VITRINE_ORPHAN_DAYS"]],
  ["blobs copy", ["--from", "--to", "--database", "--json", "s3://", "AWS_ACCESS_KEY_ID", "TO_AWS_ACCESS_KEY_ID"]],
  ["db", ["copy"]],
  ["db copy", ["--from", "--to", "--while-served", "--json", "postgres://", "PGPASSWORD"]],
];

const words = (line: string) => line.split(" ").filter((word) => word !== "");

describe("help", () => {
  test.each(HELP)("of vitrine %s names all options", async (command, named) => {
    const { code, stdout, stderr } = await vitrine([...words(command), "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const word of named) expect(stdout).toContain(word);
  });

  test("is printed for a command without its subcommand, with exit code 2", async () => {
    for (const command of [
      [],
      ["users"],
      ["orgs"],
      ["workspaces"],
      ["tokens"],
      ["sessions"],
      ["plans"],
      ["blobs"],
      ["db"],
    ]) {
      const { code, stdout, stderr } = await vitrine(command);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toStartWith("Usage: vitrine");
    }
  });

  test("of each command has an example and the exit codes", async () => {
    const all = commandsIn((await vitrine(["help"])).stdout);
    expect(all.length).toBeGreaterThan(20);
    const lines = await Promise.all(
      all.map(async (name) => {
        const inner = commandsIn((await vitrine(["help", name])).stdout);
        return inner.length > 0 ? inner.map((word) => [name, word]) : [[name]];
      }),
    );
    for (const line of lines.flat()) {
      const { code, stdout } = await vitrine(["help", ...line]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/\nExamples?:\n {2}\S/);
      expect(stdout).toContain("\nExit codes:\n  0   success\n");
      expect(stdout.includes("  4   the server cannot be reached")).toBe(stdout.includes("VITRINE_URL,"));
    }
  });

  test("--version prints the version alone", async () => {
    const { version } = await Bun.file(new URL("../../package.json", import.meta.url)).json();
    expect(await vitrine(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("wrong arguments", () => {
  test.each([
    ["nonsense", 'Unknown command "nonsense". Run vitrine --help for usage.'],
    ["lsit", 'Unknown command "lsit". Did you mean list?'],
    ["serve --nonsense", 'Unknown option "--nonsense". Run vitrine serve --help for usage.'],
    ["serve extra", "Expected 0 arguments, not 1. Run vitrine serve --help for usage."],
    ["publish", "The argument <path> is missing. Run vitrine publish --help for usage."],
    ["publish a --flaten", 'Unknown option "--flaten". Did you mean --flatten?'],
    [
      "publish a --public --visibility private",
      "--visibility <who> can't be combined with --public. Omit one of them.",
    ],
    ["publish a --visibility everyone", '"everyone" isn\'t a valid value of --visibility. Use public, private or org.'],
    ["list --limit 0", '"0" isn\'t a valid value of --limit. It must be a positive number.'],
    ["visibility a org", '"org" isn\'t a valid <visibility>. Use public or private.'],
    ["search", "The argument <words> is missing. Run vitrine search --help for usage."],
    ["rename a", "The argument <new name> is missing. Run vitrine rename --help for usage."],
    ["completion tcsh", '"tcsh" isn\'t a valid <shell>. Use bash, zsh or fish.'],
    ["publish a --name", "--name <name> has no value. Run vitrine publish --help for usage."],
    ["users create --slug ada", "The option --email <address> is required. Run vitrine users create --help for usage."],
    ["users create --email a@example.org", "The option --slug <slug> is required. Run vitrine users create --help"],
    [
      "users create --email a@example.org --slug ada --plan gold",
      '"gold" isn\'t a valid value of --plan. Use free or pro.',
    ],
    ["users remove", 'Unknown command "remove". Run vitrine users --help for usage.'],
    ["orgs create --slug o --name O", "The option --owner <user> is required."],
    [
      "orgs add-member --org o --user u --role guest",
      '"guest" isn\'t a valid value of --role. Use member, admin or owner.',
    ],
    ["sessions end --user u --all", "--all can't be combined with --user <user>. Omit one of them."],
    ["workspaces list --by name", '"name" isn\'t a valid value of --by. Use storage or slug.'],
    ["tokens create --user ada", "The option --scopes <scopes> is required."],
    ["tokens revoke --user ada", "The argument <id> is missing."],
    ["blobs copy --from here", "The option --to <place> is required."],
    ["db copy --from here", "The option --to <place> is required."],
    ["publish report.html --tag=", "\"\" isn't a valid value of --tag. It can't be empty."],
    ["plans set --workspace ada", "The option --plan <plan> is required."],
  ])("vitrine %s: exit 2 and one line with the reason and what to do", async (line, message) => {
    const { code, stdout, stderr } = await vitrine(words(line));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toStartWith(`vitrine: ${message}`);
    expect(stderr).toMatch(/^[^\n]+[.?]\n$/);
  });
});
