import { clientEnvironment, type Ended, run } from "../support/cli.ts";
import type { Service } from "../support/service.ts";

const SOURCES = new URL("../../python/src", import.meta.url).pathname;
/** Debian's Python, which finds the libraries that Debian packages. */
const PYTHON = "/usr/bin/python3";

/** Returns why Python can't run a script that imports these modules, or undefined. */
export function pythonUnavailable(...modules: readonly string[]): string | undefined {
  if (Bun.which(PYTHON) === null) return `${PYTHON} is missing`;
  const check = `import importlib.util as u, sys; print(*[m for m in sys.argv[1:] if u.find_spec(m) is None])`;
  const missing = Bun.spawnSync([PYTHON, "-c", check, ...modules])
    .stdout.toString()
    .trim();
  return missing === "" ? undefined : `missing for Python: ${missing}`;
}

/** Runs a script that can import the package, signed in to a service. */
export function python(
  script: string,
  service: Pick<Service, "baseUrl">,
  token: string,
  directory?: string,
): Promise<Ended> {
  const environment = {
    ...clientEnvironment(service, token),
    PYTHONPATH: SOURCES,
    PYTHONDONTWRITEBYTECODE: "1",
    MPLBACKEND: "Agg",
    PYTHONWARNINGS: "ignore",
  };
  return run([PYTHON, "-c", script], { environment, ...(directory === undefined ? {} : { directory }) });
}

/** Runs a script and returns what it prints. Throws if it fails. */
export async function pythonOutput(...script: Parameters<typeof python>): Promise<string> {
  const { code, stdout, stderr } = await python(...script);
  if (code !== 0) throw new Error(`Python ended with ${code}: ${stderr}`);
  return stdout.trim();
}
