import { Button, Center } from "@mantine/core";
import { type PagedQuery, useMore } from "./use-more.ts";

interface Props {
  query: PagedQuery;
}

/** Loads the next page of a list. */
export function MoreButton({ query }: Props) {
  const { isLoadingMore, showMore } = useMore(query);
  if (!query.hasNextPage) return null;
  return (
    <Center>
      <Button variant="default" onClick={showMore} aria-disabled={isLoadingMore} mod={{ loading: isLoadingMore }}>
        Show more
      </Button>
    </Center>
  );
}
