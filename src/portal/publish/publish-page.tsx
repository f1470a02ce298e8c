import { Title } from "@mantine/core";

export function PublishPage() {
  return <Title order={1}>PublishPage</Title>;
}
