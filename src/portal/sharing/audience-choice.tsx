import { Text } from "@mantine/core";
import { IconCheck, IconLock, IconUsersGroup, IconWorld } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import type { ItemDetailEntry } from "../../client/routes.ts";
import type { Visibility } from "../shared/visibility.tsx";
import styles from "./sharing.module.css";
import { useAudience } from "./use-audience.ts";

const ICONS = { private: IconLock, org: IconUsersGroup, public: IconWorld } as const;

/** Chooses who can view a report; a click applies at once and can be undone. */
export function AudienceChoice({ item }: { item: ItemDetailEntry }) {
  const { choices, current, set, isPending } = useAudience(item);
  const canChange = item.may_control;
  return (
    <div>
      <Text size="sm" fw={500} mb="xs" id="share-audience">
        Who can view it
      </Text>
      <div role="radiogroup" aria-labelledby="share-audience" className={styles.audiences} onKeyDown={moveFocus}>
        {choices.map((audience) => {
          const Icon = ICONS[audience.visibility];
          const isChosen = audience === current;
          return (
            // biome-ignore lint/a11y/useSemanticElements: arrow keys choose an input, and would change who can view the report
            <button
              key={`${audience.visibility} ${audience.org}`}
              type="button"
              role="radio"
              aria-checked={isChosen}
              aria-disabled={!canChange || isPending}
              tabIndex={isChosen || (current === undefined && audience === choices[0]) ? 0 : -1}
              data-autofocus={isChosen || undefined}
              className={styles.audience}
              onClick={() => canChange && !isChosen && set(audience)}
            >
              <Icon size={18} aria-hidden className={styles.icon} />
              <span>
                <span className={styles.label}>{audience.label}</span>
                <span className={styles.about}>{audience.about}</span>
              </span>
              {isChosen && <IconCheck size={18} aria-hidden className={styles.icon} />}
            </button>
          );
        })}
      </div>
      {!canChange && (
        <Text size="sm" c="dimmed" mt="xs">
          Only the publisher and workspace admins can change this.
        </Text>
      )}
      <NarrowerVersion item={item} />
    </div>
  );
}

/** Arrows move the focus only: choosing would change who can read the report. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]")];
  const at = choices.findIndex((choice) => choice === document.activeElement);
  choices[(at + step + choices.length) % choices.length]?.focus();
}

const WORDS: Readonly<Record<Visibility, string>> = {
  public: "public",
  org: "visible to the organization",
  private: "private",
};

function NarrowerVersion({ item: { kind, visibility, current_visibility: current } }: { item: ItemDetailEntry }) {
  if (kind === "report" || visibility === current) return null;
  return (
    <Text size="sm" mt="xs" c="yellow">
      The current version is {WORDS[current]}. The live link works for people who can view both.
    </Text>
  );
}
