import { Button, Group, Menu, SegmentedControl, Skeleton, Text, Title, VisuallyHidden } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconArrowsSort, IconFilter, IconLayoutGrid, IconList } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import type { ItemFilter } from "../../api/filter.ts";
import { describeNumber } from "../../shared/amounts.ts";
import { type Visibility, visibilityLabel } from "../../shared/visibility.tsx";
import { SORTS, sortOf } from "../list/columns.ts";
import { TITLE_ID } from "../title.ts";
import type { Home, View } from "../use-home.ts";
import styles from "./toolbar.module.css";

const VISIBILITIES: readonly Visibility[] = ["public", "org", "private"];
const ANY = "any";

interface ToolbarProps {
  home: Home;
  title: string | undefined;
  count: number | undefined;
}

/** Title of the list, with its filter, sort order and view. */
export const Toolbar = memo(function Toolbar({ home, title, count }: ToolbarProps) {
  const { filter, view, change, setView } = home;
  useDocumentTitle(title === undefined ? "Vitrine" : `${title} · Vitrine`);
  return (
    <Group justify="space-between" gap="sm" mb="xs">
      <Group gap="xs" align="baseline" miw={0} wrap="nowrap">
        <Title order={1} size="h3" lineClamp={2} id={TITLE_ID} tabIndex={-1} className={styles.title}>
          {title ?? (
            <>
              <VisuallyHidden>Reports</VisuallyHidden>
              <Skeleton component="span" display="inline-block" h={20} w={160} />
            </>
          )}
        </Title>
        {count !== undefined && (
          <Text c="dimmed" size="sm" component="span">
            {describeNumber(count)}
            <VisuallyHidden> reports</VisuallyHidden>
          </Text>
        )}
      </Group>
      <Group gap={8} wrap="nowrap">
        <VisibilityMenu value={filter.visibility} onChange={(visibility) => change({ visibility })} />
        <SortMenu filter={filter} onChange={(sort) => change({ sort })} />
        <ViewSwitch view={view} onChange={setView} />
      </Group>
    </Group>
  );
});

interface MenuButtonProps {
  icon: ReactNode;
  what: string;
  /** The selected value, if any. */
  children?: string | undefined;
}

const MenuButton = ({ icon, what, children }: MenuButtonProps) => (
  <Menu.Target>
    <Button variant="default" size="sm" leftSection={icon} classNames={{ root: styles.button ?? "" }}>
      {children === undefined ? (
        what
      ) : (
        <>
          <VisuallyHidden>{what}: </VisuallyHidden>
          {children}
        </>
      )}
    </Button>
  </Menu.Target>
);

function VisibilityMenu({ value, onChange }: { value: Visibility | undefined; onChange(value?: Visibility): void }) {
  return (
    <Menu position="bottom-end">
      <MenuButton icon={<IconFilter size={16} aria-hidden />} what="Visibility">
        {value && visibilityLabel(value)}
      </MenuButton>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={value ?? ANY}
          onChange={(chosen) => onChange(VISIBILITIES.find((one) => one === chosen))}
        >
          <Menu.RadioItem value={ANY}>Any</Menu.RadioItem>
          {VISIBILITIES.map((one) => (
            <Menu.RadioItem key={one} value={one}>
              {visibilityLabel(one)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function SortMenu({ filter, onChange }: { filter: ItemFilter; onChange(sort: ItemFilter["sort"]): void }) {
  const current = sortOf(filter);
  return (
    <Menu position="bottom-end">
      <MenuButton icon={<IconArrowsSort size={16} aria-hidden />} what="Sort">
        {SORTS.find(({ value }) => value === current)?.label.split(",")[0] ?? "Updated"}
      </MenuButton>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={current}
          onChange={(chosen) => onChange(SORTS.find(({ value }) => value === chosen)?.value)}
        >
          {SORTS.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function ViewSwitch({ view, onChange }: { view: View; onChange(view: View): void }) {
  return (
    <SegmentedControl
      aria-label="View"
      value={view}
      onChange={(value) => onChange(value === "gallery" ? "gallery" : "list")}
      classNames={{ label: styles.segment ?? "" }}
      data={[
        { value: "list", label: <Segment icon={<IconList size={16} aria-hidden />} label="List" /> },
        { value: "gallery", label: <Segment icon={<IconLayoutGrid size={16} aria-hidden />} label="Gallery" /> },
      ]}
    />
  );
}

const Segment = ({ icon, label }: { icon: ReactNode; label: string }) => (
  <>
    {icon}
    <VisuallyHidden>{label}</VisuallyHidden>
  </>
);
