import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import type { Role } from "../shared/roles.ts";
import { roleLabel } from "../shared/roles.ts";

interface Props extends NativeSelectProps {
  roles: readonly Role[];
}

/** Field that chooses a member's role. */
export const NewRoleField = ({ roles, ...props }: Props) => (
  <NativeSelect
    label="Role"
    description="Admins manage members and all reports. Members publish reports and view those shared with them."
    data={roles.map((value) => ({ value, label: roleLabel(value) }))}
    {...props}
  />
);
