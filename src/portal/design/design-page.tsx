import { Container, Group, Paper, SegmentedControl, Stack, Title, useMantineColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { BarPart } from "./bar-part.tsx";
import { ButtonsPart, FieldsPart, OverlaysPart, RowsPart, StatesPart } from "./pieces-part.tsx";
import { ColorPart, SurfacePart, TypePart } from "./tokens-part.tsx";

/** Shows every piece of the visual language, for people who work on it. */
export const DesignPage = () => (
  <Container size={1080} py="xl" component="main">
    <Group justify="space-between" mb="xl">
      <Title order={1}>Vitrine's design</Title>
      <SchemeSwitch />
    </Group>
    <Stack gap="xl">
      <Part title="Type">
        <TypePart />
      </Part>
      <Part title="Colors">
        <ColorPart />
      </Part>
      <Part title="Surfaces, radii and spaces">
        <SurfacePart />
      </Part>
      <Part title="Buttons">
        <ButtonsPart />
      </Part>
      <Part title="Fields">
        <FieldsPart />
      </Part>
      <Part title="Menus, dialogs and toasts">
        <OverlaysPart />
      </Part>
      <Part title="List rows">
        <RowsPart />
      </Part>
      <Part title="Reader's bar">
        <BarPart />
      </Part>
      <Part title="Notices and empty states">
        <StatesPart />
      </Part>
    </Stack>
  </Container>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper component="section" withBorder radius="lg" p="lg" aria-label={title}>
    <Title order={2} size="h4" mb="md">
      {title}
    </Title>
    {children}
  </Paper>
);

function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Theme"
      value={colorScheme}
      onChange={(value) => setColorScheme(value === "dark" ? "dark" : value === "light" ? "light" : "auto")}
      data={[
        { value: "light", label: "Light" },
        { value: "dark", label: "Dark" },
        { value: "auto", label: "System" },
      ]}
    />
  );
}
