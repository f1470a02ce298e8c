import { Radio, Stack, Text, VisuallyHidden } from "@mantine/core";
import { setDefaultVisibilityRoute } from "../../client/routes.ts";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { canManage } from "../shared/roles.ts";
import type { Workspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";
import { useChoice } from "../shared/use-choice.ts";
import { describeReaders, visibilityLabel } from "../shared/visibility.tsx";

const CHOICES = ["private", "org"] as const;

/** Chooses who can view an organization's new reports. */
export function DefaultVisibilitySection({ workspace }: { workspace: Workspace }) {
  const { slug: owner, role, default_visibility: current } = workspace;
  const call = useCall(setDefaultVisibilityRoute, {
    owner,
    about: ["settings"],
    failure: "Couldn't change who can view new reports",
    done: ({ visibility }) =>
      notifySuccess(visibility === "org" ? "New reports will be shared with members" : "New reports will be private"),
  });
  const { shown, choose } = useChoice(current, (visibility: (typeof CHOICES)[number]) =>
    call.mutateAsync({ owner, visibility }),
  );
  return (
    <Section
      title="Who can view new reports"
      description="Applies to reports published without a visibility. Reports that already exist don't change."
    >
      {canManage(role) ? (
        <Radio.Group
          label={<VisuallyHidden>Who can view new reports</VisuallyHidden>}
          value={shown}
          onChange={(value) => {
            const chosen = CHOICES.find((choice) => choice === value);
            if (chosen !== undefined) choose(chosen);
          }}
        >
          <Stack gap="sm">
            {CHOICES.map((choice) => (
              <Radio
                key={choice}
                value={choice}
                label={visibilityLabel(choice)}
                description={describeReaders(choice, workspace)}
              />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Text>{describeReaders(current, workspace)}</Text>
      )}
    </Section>
  );
}
