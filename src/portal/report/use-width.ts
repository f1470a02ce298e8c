import { useMediaQuery } from "@mantine/hooks";

const useWidth = (query: string): boolean => useMediaQuery(query, undefined, { getInitialValueInEffect: false });

/** Returns whether the page is as narrow as on a phone. */
export const usePhone = (): boolean => useWidth("(max-width: 47.99em)");

/** Returns whether the bar has no room for everything. */
export const useCompact = (): boolean => useWidth("(max-width: 61.99em)");

/** Returns whether there is no room beside the report. */
export const useNarrow = (): boolean => useWidth("(max-width: 74.99em)");
