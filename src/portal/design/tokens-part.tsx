import { Box, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { COLORS, SCALES } from "../../look/tokens.ts";

const TITLES = [1, 2, 3, 4] as const;
const SIZES = ["xl", "lg", "md", "sm", "xs"] as const;
const SAMPLE = "A report that everyone can read, 1,234.50";

export const TypePart = () => (
  <Stack gap="xs">
    {TITLES.map((order) => (
      <Title key={order} order={order === 1 ? 2 : 3} size={`h${order}`}>
        Title {order}: {SCALES[`title-${order}`]}
      </Title>
    ))}
    {SIZES.map((size) => (
      <Text key={size} size={size} data-figures>
        {size}: {SAMPLE}
      </Text>
    ))}
    <Text size="sm" c="dimmed">
      Dimmed text beside a title
    </Text>
    <Text size="sm" ff="monospace">
      weekly-sales 7Kd0aQ2mXw9LbT4c
    </Text>
  </Stack>
);

export const ColorPart = () => (
  <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }} spacing="sm">
    {Object.entries(COLORS).map(([name, [light, dark]]) => (
      <Box key={name}>
        <Box h={44} bg={`var(--${name})`} bd="1px solid var(--line)" style={{ borderRadius: "var(--radius-md)" }} />
        <Text size="xs" mt={4}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {light} {dark}
        </Text>
      </Box>
    ))}
  </SimpleGrid>
);

const SURFACES = ["ground", "surface", "raised"] as const;
const SHADOWS = ["shadow-sm", "shadow-md", "shadow-lg"] as const;
const RADII = ["radius-xs", "radius-sm", "radius-md", "radius-lg", "radius-xl"] as const;
const SPACES = ["space-1", "space-2", "space-3", "space-4", "space-5", "space-6", "space-7"] as const;

export const SurfacePart = () => (
  <Stack>
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {SURFACES.map((name, level) => (
        <Box
          key={name}
          p="md"
          bg={`var(--${name})`}
          bd="1px solid var(--line)"
          style={{ borderRadius: "var(--radius-lg)", boxShadow: `var(--${SHADOWS[level] ?? "shadow-lg"})` }}
        >
          <Text fw={500}>{name}</Text>
          <Text size="sm" c="dimmed">
            {SHADOWS[level]}
          </Text>
        </Box>
      ))}
    </SimpleGrid>
    <Group>
      {RADII.map((name) => (
        <Box key={name} w={72} h={44} bd="1px solid var(--edge)" style={{ borderRadius: `var(--${name})` }}>
          <Text size="xs" ta="center" mt={12}>
            {SCALES[name]}
          </Text>
        </Box>
      ))}
    </Group>
    <Group align="flex-end" gap="xs">
      {SPACES.map((name) => (
        <Box key={name} w={`var(--${name})`} h={`var(--${name})`} bg="var(--accent)" />
      ))}
      <Text size="xs" c="dimmed">
        {SCALES["space-1"]} to {SCALES["space-7"]}
      </Text>
    </Group>
  </Stack>
);
