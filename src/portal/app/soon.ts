/** What a page needs soon after it is painted, in few files: all other parts that load later are built to share them. */
export { Anywhere } from "../publish/anywhere.tsx";
export { ReportPage } from "../report/report-page.tsx";

import "../inbox/unread-count.tsx";
import "../shared/drag-and-drop.ts";
import "../shared/menu/menu-frame.tsx";
import "../shared/toasts.tsx";
