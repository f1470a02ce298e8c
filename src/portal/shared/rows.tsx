import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./rows.module.css";

/** A list with dividers between its `li` elements. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <Stack component="ul" gap={0} className={classes.rows} aria-label={label}>
    {children}
  </Stack>
);
