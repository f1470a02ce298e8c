import { addSamplesRoute, samplesRoute } from "../../../contract/publishing/samples.ts";
import type { Caller } from "../../../domain/model/entities.ts";
import { Failure } from "../../../domain/model/failure.ts";
import type { Publish } from "../../../domain/publishing/publish.ts";
import type { SampleItem } from "../../../domain/reports/ports.ts";
import type { Samples } from "../../../domain/reports/samples.ts";
import type { Mount } from "../mount.ts";
import { readSamples, type Sample } from "./sample-files.ts";
import type { UploadPreparer } from "./upload/preparer.ts";

interface SampleDependencies {
  publish: Publish;
  preparer: UploadPreparer;
  samples: Samples;
}

/** Names to try before giving up. */
const MOST_NAMES = 9;

export function mountSamples(mount: Mount, { publish, preparer, samples }: SampleDependencies): void {
  mount.guarded(samplesRoute, async (caller, { owner }) => ({
    owner,
    reports: (await samples.list(caller, owner)).map(toEntry),
  }));

  mount.guarded(addSamplesRoute, async (caller, { owner }) => {
    const known = new Set((await samples.list(caller, owner)).map(({ sample }) => sample));
    const missing = (await readSamples()).filter(({ name }) => !known.has(name));
    for (const sample of missing) await add(caller, owner, sample);
    return { ok: true, added: missing.length, reports: (await samples.list(caller, owner)).map(toEntry) };
  });

  /** Publishes a sample under the first free name. */
  async function add(caller: Caller, owner: string, sample: Sample): Promise<void> {
    for (let number = 1; ; number++) {
      try {
        return await publishAs(caller, owner, sample, `${owner}-${sample.name}${number === 1 ? "" : `-${number}`}`);
      } catch (error) {
        if (!(error instanceof Failure && error.kind === "Conflict") || number === MOST_NAMES) throw error;
      }
    }
  }

  async function publishAs(
    caller: Caller,
    owner: string,
    { name: sample, files }: Sample,
    name: string,
  ): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify({ owner, name, files, expected_current_code: null }));
    const upload = await preparer.prepare({ bytes, type: "application/json" }, caller.userId);
    await publish.publish(caller, { ...upload, details: { ...upload.details, sample } });
  }
}

const toEntry = ({ name, code, title }: SampleItem) => ({ name, code, title });
