import { Modal, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { itemQuery } from "../api/queries.ts";
import { ErrorState } from "../shared/states.tsx";
import touch from "../shared/touch.module.css";
import { AudienceChoice } from "./audience-choice.tsx";
import { PeopleSection } from "./people-section.tsx";
import { ShareLinks } from "./share-links.tsx";

interface Props {
  /** The report's name, or the code of any of its versions. */
  reference: string;
  onClose(): void;
}

/** Says who can view a report, and gives its links. */
export function ShareDialog({ reference, onClose }: Props) {
  const { data: item, error, refetch } = useQuery(itemQuery(reference));
  return (
    <Modal
      opened
      onClose={onClose}
      title={item === undefined ? "Share" : `Share “${item.title}”`}
      size="lg"
      styles={{ title: { overflow: "hidden", textOverflow: "ellipsis" } }}
    >
      {item !== undefined && (
        <Stack gap="lg" className={touch.targets}>
          <AudienceChoice item={item} />
          {item.may_control && <PeopleSection item={item} />}
          <ShareLinks item={item} />
        </Stack>
      )}
      {item === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {item === undefined && error === null && <Skeleton height={360} />}
    </Modal>
  );
}
