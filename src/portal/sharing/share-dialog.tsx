import { Modal, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { itemQuery } from "../api/queries.ts";
import { lazyPart } from "../shared/lazy-part.ts";
import { ErrorState } from "../shared/states.tsx";
import touch from "../shared/touch.module.css";
import { AudienceChoice } from "./audience-choice.tsx";
import { PeopleSection } from "./people-section.tsx";
import { ShareLinks } from "./share-links.tsx";

const GuestLinks = lazyPart(async () => (await import("./guest-links.tsx")).GuestLinks);

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
      // What loads below the choices must not move them.
      centered={false}
      styles={{ title: { overflow: "hidden", textOverflow: "ellipsis" } }}
    >
      {item !== undefined && (
        <Stack gap="lg" className={touch.targets}>
          <AudienceChoice item={item} />
          {item.may_control && <PeopleSection item={item} />}
          <ShareLinks item={item} />
          {item.may_control && (
            <Suspense fallback={<Skeleton height={44} />}>
              <GuestLinks item={item} />
            </Suspense>
          )}
        </Stack>
      )}
      {item === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {item === undefined && error === null && <Skeleton height={360} />}
    </Modal>
  );
}
