const entry = new URL("../../../look/changes/client/compare.client.ts", import.meta.url).pathname;

/** Bundles the script with which browsers compare rendered pages. Its name changes with its content. */
export async function bundleCompareScript(): Promise<{ name: string; text: string }> {
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife", minify: true });
  const text = await outputs[0]?.text();
  if (text === undefined) throw new Error("Bundling the comparison of pages failed.");
  return { name: `compare-${Bun.hash(text).toString(36)}.js`, text };
}
