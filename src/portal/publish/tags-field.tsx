import { Button, Group, Input, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { taxonomyQuery } from "../api/queries.ts";
import { TagPicker } from "../shared/pickers/tag-picker.tsx";
import { ChoiceButton } from "./choice-button.tsx";

interface Props {
  owner: string;
  tagIds: readonly string[];
  onChange(tagIds: string[]): void;
}

/** Field that chooses a new report's tags. */
export function TagsField({ owner, tagIds, onChange }: Props) {
  const { data: taxonomy } = useQuery(taxonomyQuery(owner));
  const [isOpen, { open, close }] = useDisclosure();
  const id = useId();
  const titles = tagIds.map((tagId) => taxonomy?.tags.find((tag) => tag.id === tagId)?.title ?? "");
  return (
    <Input.Wrapper label="Tags" labelElement="div" labelProps={{ id }}>
      <ChoiceButton label={id} icon={<IconTag size={16} aria-hidden />} onClick={open}>
        {titles.length === 0 ? "No tags" : titles.join(", ")}
      </ChoiceButton>
      <Modal opened={isOpen} onClose={close} title="Choose tags" size="sm">
        <TagPicker
          owner={owner}
          carries={(tagId) => tagIds.includes(tagId)}
          onToggle={(tagId, isAttached) =>
            onChange(isAttached ? [...tagIds, tagId] : tagIds.filter((other) => other !== tagId))
          }
        />
        <Group justify="flex-end" mt="md">
          <Button onClick={close}>Done</Button>
        </Group>
      </Modal>
    </Input.Wrapper>
  );
}
