import { configRoute } from "../../../contract/publishing/config.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Services } from "../../../domain/services.ts";
import type { ReadBody } from "../../http/body.ts";
import type { Mount } from "../mount.ts";
import { mountPublish } from "./publish.ts";
import { mountSamples } from "./samples.ts";
import type { UploadPreparer } from "./upload/preparer.ts";

interface Dependencies extends Pick<Services, "publishing" | "reports" | "reviews"> {
  addresses: Addresses;
  preparer: UploadPreparer;
  readBody: ReadBody;
}

export function mountRoutes(mount: Mount, dependencies: Dependencies): void {
  const { publishing, reports, reviews, addresses, preparer, readBody } = dependencies;
  mountPublish(mount, { publish: publishing, addressing: reviews.addressing, preparer, readBody });
  mountSamples(mount, { publish: publishing, preparer, samples: reports.samples });
  mount.open(configRoute, () => ({ publicBaseUrl: addresses.contentUrl }));
}
