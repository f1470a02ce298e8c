import { ActionIcon, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCopying } from "./copying.ts";

/** Button that copies a text; `what` names it, as in "Copy live link". */
export function Copy({ text, what }: { text: string; what: string }) {
  const { isCopied, copy } = useCopying(text);
  return (
    <>
      <Tooltip label={isCopied ? "Copied" : `Copy ${what}`}>
        <ActionIcon variant="subtle" color={isCopied ? "glass" : "gray"} onClick={copy} aria-label={`Copy ${what}`}>
          {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{isCopied && "Copied"}</VisuallyHidden>
    </>
  );
}
