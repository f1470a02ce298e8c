import { Modal } from "@mantine/core";
import { Keys } from "../shared/keys.tsx";
import classes from "./palette.module.css";
import { SHORTCUTS } from "./shortcut-list.ts";

interface ShortcutsDialogProps {
  isOpen: boolean;
  onClose(): void;
}

/** Lists the keyboard shortcuts. */
export const ShortcutsDialog = ({ isOpen, onClose }: ShortcutsDialogProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg">
    <div className={classes.sheet}>
      {SHORTCUTS.map(({ group, keys }) => (
        <section key={group}>
          <h3 className={classes.group}>{group}</h3>
          <dl className={classes.shortcuts}>
            {keys.map(([label, ...alternatives]) => (
              <div key={label} className={classes.shortcut}>
                <dt>{label}</dt>
                <dd>
                  {alternatives.map((keys) => (
                    <Keys key={keys} keys={keys} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Modal>
);
