import { Switch, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import { useStorage } from "./use-storage.ts";

/** Shows whether the report has browser storage, and changes it. */
export function StorageField({ item }: { item: Item }) {
  const { data } = useQuery(reportQuery(useShownCode(item)));
  const { setStorage, isBusy } = useStorage(item);
  const isOn = (data?.storage ?? item.storage) === "memory";
  if (!item.may_control) return <Text size="sm">{isOn ? "Temporary" : "Off"}</Text>;
  return (
    <>
      <Tooltip label="Turn on if the report looks blank. Data clears when it's closed." multiline maw={260}>
        <Switch
          size="xs"
          aria-label="Browser storage"
          checked={isOn}
          aria-disabled={isBusy}
          onChange={() => setStorage(isOn ? "none" : "memory")}
        />
      </Tooltip>
      {isOn ? "Temporary" : "Off"}
    </>
  );
}
