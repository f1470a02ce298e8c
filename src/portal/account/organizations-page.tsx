import { Title } from "@mantine/core";

export function OrganizationsPage() {
  return <Title order={1}>OrganizationsPage</Title>;
}
