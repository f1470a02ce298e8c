import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useAccount } from "../shared/use-account.ts";

/** Field that chooses one of the user's workspaces. */
export function WorkspaceField(props: NativeSelectProps) {
  const { workspaces } = useAccount();
  return (
    <NativeSelect
      label="Workspace"
      description="The token works in this workspace only."
      data={workspaces.map(({ slug, display_name, kind }) => ({
        value: slug,
        label: `${display_name ?? slug}${kind === "user" ? " (personal)" : ""}`,
      }))}
      {...props}
    />
  );
}
