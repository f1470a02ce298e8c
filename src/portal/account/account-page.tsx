import { Title } from "@mantine/core";

export function AccountPage() {
  return <Title order={1}>AccountPage</Title>;
}
