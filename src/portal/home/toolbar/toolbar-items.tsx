import { Menu } from "@mantine/core";
import type { ItemFilter } from "../../api/filter.ts";
import { COLUMNS, SORTS } from "../list/columns.ts";
import { useColumns } from "../list/use-columns.ts";

type Sort = NonNullable<ItemFilter["sort"]>;

export const SortItems = ({ value, onChange }: { value: Sort; onChange(sort: Sort | undefined): void }) => (
  <Menu.Dropdown>
    <Menu.RadioGroup value={value} onChange={(chosen) => onChange(SORTS.find((sort) => sort.value === chosen)?.value)}>
      {SORTS.map((sort) => (
        <Menu.RadioItem key={sort.value} value={sort.value}>
          {sort.label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  </Menu.Dropdown>
);

/** The columns of the list, as this browser remembers them. */
export function ColumnItems({ isOrganization }: { isOrganization: boolean }) {
  const { available, chosen, toggle } = useColumns(isOrganization);
  return (
    <Menu.Dropdown>
      <Menu.Label>Columns</Menu.Label>
      {available.map((id) => (
        <Menu.CheckboxItem key={id} checked={chosen.includes(id)} onChange={() => toggle(id)} closeMenuOnClick={false}>
          {COLUMNS[id].label}
        </Menu.CheckboxItem>
      ))}
    </Menu.Dropdown>
  );
}
