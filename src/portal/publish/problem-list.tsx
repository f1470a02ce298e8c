import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type Ref, Suspense } from "react";
import { lazyPart } from "../shared/lazy-part.ts";
import type { Offer, Problem } from "./problem.ts";

const FreeSpace = lazyPart(async () => (await import("../shared/free-space.tsx")).FreeSpace);

const MAX_DETAILS = 6;

interface Props {
  /** The workspace. */
  owner: string;
  problems: readonly Problem[];
  onTake(offer: Offer): void;
  ref: Ref<HTMLDivElement>;
}

/** Lists what prevents publishing, each with a fix where there is one. */
export function ProblemList({ owner, problems, onTake, ref }: Props) {
  return (
    <Stack
      gap="xs"
      mb={problems.length === 0 ? 0 : "md"}
      role="group"
      aria-label="Problems to fix before publishing"
      tabIndex={-1}
      ref={ref}
      aria-live="polite"
    >
      {problems.map((problem) => (
        <Alert
          key={problem.kind}
          variant="default"
          icon={<IconAlertTriangle aria-hidden color="var(--mantine-color-orange-filled)" />}
          role="note"
        >
          <Text size="sm">{problem.message}</Text>
          <Details details={problem.details ?? []} />
          {problem.kind === "quota" && (
            <Suspense fallback={null}>
              <FreeSpace owner={owner} />
            </Suspense>
          )}
          <Group gap="xs" mt={problem.offers?.length ? "xs" : 0}>
            {problem.offers?.map((offer) => (
              <Button key={offer.label} size="xs" variant="default" onClick={() => onTake(offer)}>
                {offer.label}
              </Button>
            ))}
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}

function Details({ details }: { details: readonly string[] }) {
  if (details.length === 0) return null;
  const more = details.length - MAX_DETAILS;
  return (
    <ul>
      {details.slice(0, MAX_DETAILS).map((detail) => (
        <Text key={detail} component="li" size="sm">
          {detail}
        </Text>
      ))}
      {more > 0 && (
        <Text component="li" size="sm">
          … and {more} more
        </Text>
      )}
    </ul>
  );
}
