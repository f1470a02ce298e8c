import { Button, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** The id of the field's label. */
  label: string;
  icon: ReactNode;
  /** What is chosen now. */
  children: string;
  onClick: () => void;
}

/** Button of a field that shows what is chosen and opens a dialog to choose something else. */
export function ChoiceButton({ label, icon, children, onClick }: Props) {
  return (
    <Button
      variant="default"
      fullWidth
      justify="flex-start"
      fw={400}
      leftSection={icon}
      aria-describedby={label}
      onClick={onClick}
    >
      {/* A line as low as the letters would hide their tails. */}
      <Text span inherit truncate lh={1.5}>
        {children}
      </Text>
    </Button>
  );
}
