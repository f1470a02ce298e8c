import { Title } from "@mantine/core";

export function TokensPage() {
  return <Title order={1}>TokensPage</Title>;
}
