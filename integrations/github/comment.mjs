const PAGE = 100;
/** Pages of comments to search for the one to update. */
const MAX_PAGES = 30;
/** Files to name. */
const LISTED = 10;

async function request(url, { token, method = "GET", body }) {
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (response.ok) return response.json();
  const { message, error } = await response.json().catch(() => ({}));
  const hint = response.status === 403 ? " The job needs the permission pull-requests: write." : "";
  throw new Error(`${method} ${new URL(url).pathname} returned ${response.status}: ${message ?? error ?? ""}.${hint}`);
}

/** Returns the number of a version, and which files changed since the version before. */
export async function changesSince(code) {
  const { VITRINE_URL: base, VITRINE_TOKEN: token } = process.env;
  const read = (path, query) => request(new URL(`${path}?${new URLSearchParams(query)}`, base), { token });
  const current = await read("/api/report", { code });
  const { version_no: versionNo } = current;
  const { versions } = await read("/api/item/versions", { code, before: versionNo, limit: 1 });
  if (versions.length === 0) return { versionNo, text: "This is the first version." };
  const previous = await read("/api/report", { code: versions[0].code });
  const [before, after] = [previous, current].map(
    ({ files }) => new Map(files.map((file) => [file.path, file.sha256])),
  );
  const listed = (kind, paths) => {
    if (paths.length === 0) return [];
    const more = paths.length > LISTED ? ` and ${paths.length - LISTED} more` : "";
    return [`${kind} ${paths.slice(0, LISTED).join(", ")}${more}`];
  };
  const parts = [
    ...listed(
      "changed",
      [...after.keys()].filter((path) => before.has(path) && before.get(path) !== after.get(path)),
    ),
    ...listed(
      "added",
      [...after.keys()].filter((path) => !before.has(path)),
    ),
    ...listed(
      "removed",
      [...before.keys()].filter((path) => !after.has(path)),
    ),
  ];
  const since = `Since version ${previous.version_no}`;
  const text = parts.length === 0 ? `${since}, no file changed.` : `${since}: ${parts.join("; ")}.`;
  // Older servers don't compare what readers see, and some pages can't be compared.
  const { markdown, total } = await read("/api/changes", { code, from: previous.code, format: "markdown" }).catch(
    () => ({ total: 0 }),
  );
  return { versionNo, text, ...(total > 0 ? { markdown: markdown.trimEnd() } : {}) };
}

/** Creates the comment of a topic on a pull request, or updates the one that it has. */
export async function commentOn({ number, topic, text, token }) {
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository } = process.env;
  // A comment in HTML can't contain two hyphens.
  const mark = `<!-- vitrine ${encodeURIComponent(topic).replaceAll("--", "-%2D")} -->`;
  const body = `${mark}\n${text}`;
  const issues = `${api}/repos/${repository}/issues`;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const comments = await request(`${issues}/${number}/comments?per_page=${PAGE}&page=${page}`, { token });
    const own = comments.find((comment) => comment.body?.startsWith(mark));
    if (own !== undefined) return request(`${issues}/comments/${own.id}`, { token, method: "PATCH", body: { body } });
    if (comments.length < PAGE) break;
  }
  return request(`${issues}/${number}/comments`, { token, method: "POST", body: { body } });
}
