import { Button, Center } from "@mantine/core";

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
}

/** Loads the next page of a list. */
export function MoreButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) {
  if (!hasNextPage) return null;
  return (
    <Center>
      <Button
        variant="default"
        onClick={() => void fetchNextPage()}
        aria-disabled={isFetchingNextPage}
        mod={{ loading: isFetchingNextPage }}
      >
        Show more
      </Button>
    </Center>
  );
}
