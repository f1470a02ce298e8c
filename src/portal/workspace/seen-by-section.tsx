import { Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { setSeenByRoute } from "../../client/routes.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { canManage } from "../shared/roles.ts";
import type { Workspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";
import { useChoice } from "../shared/use-choice.ts";

type SeenBy = Workspace["seen_by"];

/** From the most private. A step back deletes what was recorded. */
const CHOICES: readonly SeenBy[] = ["off", "counts", "names"];

const TEXTS: Readonly<Record<SeenBy, { label: string; description: string; done: string; loss: string }>> = {
  off: {
    label: "Off",
    description: "Nothing is recorded.",
    done: "Views are no longer recorded",
    loss: "Vitrine deletes all views recorded in this workspace.",
  },
  counts: {
    label: "Numbers only",
    description: "How often each version was viewed and when, but not by whom.",
    done: "Views will be counted",
    loss: "Vitrine deletes the names recorded in this workspace and keeps the numbers.",
  },
  names: {
    label: "Names of signed-in readers",
    description:
      "Also who viewed which version. Readers see this, and those whose browser asks for privacy are only counted.",
    done: "Views will be recorded with names",
    loss: "",
  },
};

/** Chooses what is recorded about people who view the workspace's reports. */
export function SeenBySection({ workspace }: { workspace: Workspace }) {
  const { slug: owner, role, seen_by: current } = workspace;
  const [asked, setAsked] = useState<SeenBy>();
  const call = useCall(setSeenByRoute, { owner, about: ["settings"] });
  const { shown, choose } = useChoice(current, (choice) =>
    set(choice).catch((error) => notifyError("Couldn't change what is recorded", error)),
  );

  async function set(seen_by: SeenBy): Promise<void> {
    await call.mutateAsync({ owner, seen_by });
    notifySuccess(TEXTS[seen_by].done);
  }

  return (
    <Section
      title="Seen by"
      description="What the people who control a report learn about its readers. Views by the publisher don't count. Records are deleted 400 days after the last view."
    >
      {canManage(role) ? (
        <Radio.Group
          aria-label="What is recorded about readers"
          value={shown}
          onChange={(value) => {
            const chosen = CHOICES.find((choice) => choice === value);
            if (chosen === undefined) return;
            if (CHOICES.indexOf(chosen) < CHOICES.indexOf(current)) setAsked(chosen);
            else choose(chosen);
          }}
        >
          <Stack gap="sm">
            {CHOICES.map((choice) => (
              <Radio key={choice} value={choice} label={TEXTS[choice].label} description={TEXTS[choice].description} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Text>
          {TEXTS[current].label}. {TEXTS[current].description}
        </Text>
      )}
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={asked === "counts" ? "Delete the names of readers?" : "Delete all recorded views?"}
        action="Delete"
        onConfirm={() => (asked === undefined ? Promise.resolve() : set(asked))}
        onClose={() => setAsked(undefined)}
      >
        {asked !== undefined && TEXTS[asked].loss} This can't be undone.
      </ConfirmDialog>
    </Section>
  );
}
