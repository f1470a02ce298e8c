import { UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { tagItemsRoute } from "../../../client/routes.ts";
import { referenceOf, referenceText } from "../../api/references.ts";
import { Link } from "../../shared/link.tsx";
import { TagPicker } from "../../shared/pickers/tag-picker.tsx";
import { useCall } from "../../shared/use-call.ts";
import classes from "../panel/panel.module.css";
import type { Item } from "../types.ts";
import { PickerPopover } from "./picker-popover.tsx";

/** Shows the report's tags, and changes them in place. */
export function TagsField({ item }: { item: Item }) {
  const [isOpen, setOpen] = useState(false);
  const { carries, toggle } = useTags(item);
  return (
    <>
      {item.tags.map(({ id, title }) => (
        <Link
          key={id}
          to="/w/$owner"
          params={{ owner: item.owner_slug }}
          search={{ tags: [id] }}
          className={classes.tag}
          data-button
        >
          {title}
        </Link>
      ))}
      <PickerPopover
        label="Tags"
        isOpen={isOpen}
        onChange={setOpen}
        target={
          <UnstyledButton
            className={classes.value}
            data-empty
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {item.tags.length === 0 ? "Add tags" : "Edit"}
            {item.tags.length > 0 && <VisuallyHidden> tags</VisuallyHidden>}
          </UnstyledButton>
        }
      >
        <TagPicker owner={item.owner_slug} carries={carries} onToggle={toggle} />
      </PickerPopover>
    </>
  );
}

/** Changes take effect immediately and show before the server has confirmed them. */
function useTags(item: Item) {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { mutateAsync } = useCall(tagItemsRoute, {
    owner: item.owner_slug,
    about: ["items"],
    failure: "Couldn't change the tags",
    inTurn: true,
  });
  const settle = (id: string) => setChanged((known) => new Map([...known].filter(([changedId]) => changedId !== id)));
  const toggle = (id: string, isAttached: boolean) => {
    setChanged((known) => new Map(known).set(id, isAttached));
    mutateAsync({ items: [referenceOf(referenceText(item))], ...(isAttached ? { add: [id] } : { remove: [id] }) })
      .catch(() => undefined)
      .finally(() => settle(id));
  };
  const carries = (id: string) => changed.get(id) ?? item.tags.some((tag) => tag.id === id);
  return { carries, toggle };
}
