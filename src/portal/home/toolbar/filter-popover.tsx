import { Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { HomeSearch } from "../../api/filter.ts";
import { membersQuery } from "../../api/queries.ts";
import { type Anchor, Target } from "../../shared/menu/menu-frame.tsx";
import { matching } from "../../shared/pickers/matching.ts";
import { PickerList } from "../../shared/pickers/picker-list.tsx";
import type { Cabinet } from "../use-cabinet.ts";
import type { Home } from "../use-home.ts";
import { buildChoices, type FilterChoice, KINDS } from "./filter-choices.ts";

interface FilterPopoverProps {
  home: Home;
  cabinet: Cabinet;
  isOrganization: boolean;
  anchor: Anchor;
  isOpen: boolean;
  onClose(): void;
}

/** Chooses filters: first a kind, then a value, or a value at once by typing. */
export function FilterPopover({ anchor, isOpen, onClose, ...rest }: FilterPopoverProps) {
  // Opens after the first render, so that it records the focus to return.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return (
    <Popover
      opened={isShown}
      onChange={(opened) => !opened && onClose()}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Target anchor={anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Filters" p="xs">
        <Choices {...rest} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}

type ChoicesProps = Pick<FilterPopoverProps, "home" | "cabinet" | "isOrganization" | "onClose">;

function Choices({ home: { owner, filter, change }, cabinet, isOrganization, onClose }: ChoicesProps) {
  const [query, setQuery] = useState("");
  const [kind, setKind] = useState<FilterChoice["kind"]>();
  const members = useQuery({ ...membersQuery(owner), enabled: isOrganization }).data?.members;
  const choices = useMemo(
    () => buildChoices({ filter, cabinet, members: members ?? [], query }),
    [filter, cabinet, members, query],
  );
  const kinds = KINDS.filter(({ id }) => choices.some((choice) => choice.kind === id));
  const isTop = kind === undefined && query.trim() === "";
  const offered = choices.filter((choice) => kind === undefined || choice.kind === kind);
  const { shown } = matching(offered, query, ({ path, title }) => path + title);
  const options = isTop
    ? kinds.map(({ id, label }) => ({ id, title: `${label}…` }))
    : shown.map(({ id, title, path, isCurrent }) => ({ id, title, isCurrent, path: kind === undefined ? path : "" }));

  const choose = (id: string) => {
    const chosenKind = KINDS.find((candidate) => candidate.id === id);
    if (isTop && chosenKind !== undefined) {
      setKind(chosenKind.id);
      setQuery("");
      return;
    }
    const search: HomeSearch | undefined = choices.find((choice) => choice.id === id)?.search;
    if (search !== undefined) change(search);
    onClose();
  };
  return (
    <PickerList
      key={kind ?? "all"}
      label="Filter by"
      placeholder={KINDS.find(({ id }) => id === kind)?.placeholder ?? "Filter by…"}
      options={options}
      query={query}
      onQuery={setQuery}
      onPick={({ id }) => choose(id)}
      empty="No matching filters"
    />
  );
}
