import { configRoute } from "../../../contract/publishing/config.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Services } from "../../../domain/services.ts";
import type { ReadBody } from "../../http/body.ts";
import type { Mount } from "../mount.ts";
import { mountPublish } from "./publish.ts";
import { mountSamples } from "./samples.ts";
import type { UploadPreparer } from "./upload/preparer.ts";

interface Dependencies extends Pick<Services, "publishing" | "reports"> {
  addresses: Addresses;
  preparer: UploadPreparer;
  readBody: ReadBody;
}

export function mountRoutes(mount: Mount, { publishing, reports, addresses, preparer, readBody }: Dependencies): void {
  mountPublish(mount, { publish: publishing, preparer, readBody });
  mountSamples(mount, { publish: publishing, preparer, samples: reports.samples });
  mount.open(configRoute, () => ({ publicBaseUrl: addresses.contentUrl }));
}
