import { Section } from "../shared/page.tsx";
import type { Workspace } from "../shared/use-account.ts";

/** Where new reports go that name no folder. */
export function DefaultFolderSection({ workspace }: { workspace: Workspace }) {
  return <Section title="Default upload folder">{workspace.default_folder_id}</Section>;
}
