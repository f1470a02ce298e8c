import { configRoute } from "../../../contract/publishing/config.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Services } from "../../../domain/services.ts";
import type { ReadBody } from "../../http/body.ts";
import type { Mount } from "../mount.ts";
import { mountPublish } from "./publish.ts";
import type { UploadPreparer } from "./upload/preparer.ts";

interface Dependencies extends Pick<Services, "publishing"> {
  addresses: Addresses;
  preparer: UploadPreparer;
  readBody: ReadBody;
}

export function mountRoutes(mount: Mount, { publishing, addresses, preparer, readBody }: Dependencies): void {
  mountPublish(mount, { publish: publishing, preparer, readBody });
  mount.open(configRoute, () => ({ publicBaseUrl: addresses.contentUrl }));
}
