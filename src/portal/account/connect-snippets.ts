/** Values filled into the snippets. */
export interface Connection {
  baseUrl: string;
  contentUrl: string;
  /** Undefined reads the token from the environment. */
  token: string | undefined;
}

export interface Snippet {
  id: string;
  label: string;
  /** Prerequisites of the snippet. */
  hint: string;
  text: string;
  /** Whether lines may wrap anywhere. */
  isProse?: true;
}

/** The report name used in the examples. */
const NAME = "weekly-sales";
const FOLDER = "my-report";

/** Returns snippets that publish and read a report, ready to run beside a folder `my-report` with an index.html. */
export const snippetsFor = (connection: Connection): Snippet[] => [
  commandLine(connection),
  curl(connection),
  github(connection),
  gitlab(connection),
  python(connection),
  javascript(connection),
  agent(connection),
  readBack(connection),
];

/** Exports the variable for the lines that follow. */
const shellToken = ({ token }: Connection): string => (token === undefined ? "" : `export VITRINE_TOKEN=${token}\n`);

const AUTHORIZATION = '-H "Authorization: Bearer $VITRINE_TOKEN"';

/** Base64 handles text and images alike, and jq reads it whole. */
const uploadFolder = (baseUrl: string): string => `for file in ${FOLDER}/*; do
  base64 < "$file" | jq -Rs --arg path "\${file##*/}" \\
    '{path: $path, encoding: "base64", content: .}'
done | jq -s '{name: "${NAME}", files: .}' |
  curl -sS --fail-with-body ${baseUrl}/api/upload \\
    ${AUTHORIZATION} \\
    -H "Content-Type: application/json" --data-binary @-`;

const commandLine = (connection: Connection): Snippet => ({
  id: "command-line",
  label: "Command line",
  hint: "vitrine is in the bin folder of Vitrine's source and requires Node 20 or newer. It prints the link.",
  text: `export VITRINE_URL=${connection.baseUrl}
${shellToken(connection)}vitrine publish ${FOLDER}/ --name ${NAME}`,
});

const curl = (connection: Connection): Snippet => ({
  id: "curl",
  label: "curl",
  hint: `Publishes every file in the folder ${FOLDER}. Requires jq. The response contains the links and any warnings.`,
  text: shellToken(connection) + uploadFolder(connection.baseUrl),
});

const github = ({ baseUrl }: Connection): Snippet => ({
  id: "github",
  label: "GitHub Actions",
  hint: "A step for a job that has built the folder. Store the access token as a repository secret named VITRINE_TOKEN.",
  text: `- name: Publish the report
  env:
    VITRINE_TOKEN: \${{ secrets.VITRINE_TOKEN }}
  run: |
${indented(uploadFolder(baseUrl), 4)}`,
});

const gitlab = ({ baseUrl }: Connection): Snippet => ({
  id: "gitlab",
  label: "GitLab CI",
  hint: "A job that receives the folder as an artifact. Store the access token as a masked variable named VITRINE_TOKEN.",
  text: `publish-report:
  image: alpine:3
  before_script:
    - apk add --no-cache curl jq
  script:
    - |
${indented(uploadFolder(baseUrl), 6)}`,
});

const python = ({ baseUrl, token }: Connection): Snippet => ({
  id: "python",
  label: "Python",
  hint: "Requires Python 3, no packages.",
  text: `import base64
import json
import os
import pathlib
import urllib.request

token = ${token === undefined ? 'os.environ["VITRINE_TOKEN"]' : `"${token}"`}
upload = {
    "name": "${NAME}",
    "files": [
        {"path": file.name, "encoding": "base64", "content": base64.b64encode(file.read_bytes()).decode()}
        for file in pathlib.Path("${FOLDER}").glob("[!.]*")
    ],
}
request = urllib.request.Request(
    "${baseUrl}/api/upload",
    data=json.dumps(upload).encode(),
    headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["nameUrl"])`.replace(token === undefined ? "" : "import os\n", ""),
});

const javascript = ({ baseUrl, token }: Connection): Snippet => ({
  id: "javascript",
  label: "JavaScript",
  hint: "Requires Node 20 or newer; save it with the extension .mjs. It also runs on Bun and Deno.",
  text: `import { readdir, readFile } from "node:fs/promises";
${token === undefined ? 'import process from "node:process";\n' : ""}
const token = ${token === undefined ? "process.env.VITRINE_TOKEN" : `"${token}"`};
const names = (await readdir("${FOLDER}")).filter((name) => !name.startsWith("."));
const files = await Promise.all(
  names.map(async (name) => ({
    path: name,
    encoding: "base64",
    content: (await readFile(\`${FOLDER}/\${name}\`)).toString("base64"),
  })),
);
const response = await fetch("${baseUrl}/api/upload", {
  method: "POST",
  headers: { Authorization: \`Bearer \${token}\`, "Content-Type": "application/json" },
  body: JSON.stringify({ name: "${NAME}", files }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.error);
console.log(answer.nameUrl);`,
});

const readBack = (connection: Connection): Snippet => ({
  id: "read-back",
  label: "Read back",
  hint: "Prints the HTML of the current version. Requires jq. Append a file name after the last slash to read another file.",
  text: `${shellToken(connection)}code=$(curl -sS --fail-with-body ${AUTHORIZATION} \\
  "${connection.baseUrl}/api/group?name=${NAME}" | jq -r .current_code)
curl -sS --fail-with-body ${AUTHORIZATION} "${connection.contentUrl}/$code/"`,
});

const agent = ({ baseUrl, contentUrl }: Connection): Snippet => ({
  id: "agent",
  label: "Agents",
  hint: "For AGENTS.md or another file your agent reads first. Provide the access token as the environment variable VITRINE_TOKEN.",
  isProse: true,
  text: `## Publishing reports

Publish HTML reports to Vitrine at ${baseUrl}. The access token is in the environment variable VITRINE_TOKEN; send it as \`Authorization: Bearer $VITRINE_TOKEN\`, and never print it or write it to a file.

- Publish: \`POST ${baseUrl}/api/upload\` with JSON: \`{"name": "${NAME}", "files": [{"path": "index.html", "content": "<!doctype html>…"}]}\`. Exactly one file must be named \`index.html\`. Encode images and other binary files as base64 and add \`"encoding": "base64"\`. Folders aren't supported: files refer to each other by name.
- Update: upload again with the same \`name\` to add a version. In the response, \`nameUrl\` always shows the current version and \`url\` always shows this one. A report is private unless you send \`"visibility": "public"\`; do so only when asked.
- Fix any \`warnings\` in the response and publish again. Reports run without cookies and \`localStorage\`. Errors have the form \`{"error": "…"}\` and say what to do.
- Read back: \`GET ${baseUrl}/api/group?name=${NAME}\` returns \`current_code\`; \`GET ${contentUrl}/CODE/\` returns the HTML of that version and \`GET ${contentUrl}/CODE/FILE\` returns any other file. Send the same header.
- Everything else is described in ${baseUrl}/api/openapi.json.`,
});

const indented = (text: string, columns: number): string => text.replace(/^/gm, " ".repeat(columns));
