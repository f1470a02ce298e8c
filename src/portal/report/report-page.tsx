import { Title } from "@mantine/core";

export function ReportPage() {
  return <Title order={1}>ReportPage</Title>;
}
