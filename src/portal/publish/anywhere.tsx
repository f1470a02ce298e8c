import { ShareOnAddress } from "../sharing/share-on-address.tsx";
import { DropAnywhere } from "./drop-anywhere.tsx";
import { NewReportButton } from "./new-report-button.tsx";
import { SamplesNotice } from "./samples-notice.tsx";

/** What works on several pages: dropping and pasting reports, sharing, and starting on phones and with samples. */
export const Anywhere = ({ owner }: { owner: string }) => (
  <>
    <DropAnywhere owner={owner} />
    <NewReportButton owner={owner} />
    <SamplesNotice owner={owner} />
    <ShareOnAddress />
  </>
);
