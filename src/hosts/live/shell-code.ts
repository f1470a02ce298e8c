const sources = new URL("./shell/", import.meta.url);

export interface ShellCode {
  style: string;
  script: string;
}

/** The shell's own style and script, made from their sources when somebody first needs them. */
export function createShellCode(): () => Promise<ShellCode> {
  let building: Promise<ShellCode> | undefined;
  return () => {
    building ??= build();
    return building;
  };
}

async function build(): Promise<ShellCode> {
  const [script, style] = await Promise.all([bundle("shell.client.ts"), bundle("shell.css")]);
  return { script, style };
}

async function bundle(file: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL(file, sources).pathname],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const text = await outputs[0]?.text();
  if (text === undefined) throw new Error(`${file} could not be bundled.`);
  return text.trim();
}
