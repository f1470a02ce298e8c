import { Combobox, Modal, TextInput, useCombobox } from "@mantine/core";
import {
  type Icon,
  IconArrowRight,
  IconBolt,
  IconBuilding,
  IconDeviceDesktop,
  IconFileText,
  IconFolder,
  IconSearch,
  IconWorldSearch,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { referenceText } from "../api/references.ts";
import { type Command, useCommandList } from "../shared/commands.tsx";
import { Keys } from "../shared/keys.tsx";
import { useAccount } from "../shared/use-account.ts";
import { chooseCommands } from "./choose.ts";
import classes from "./palette.module.css";
import { type FoundReport, useFoundReports } from "./use-found-reports.ts";
import { useGlobalCommands } from "./use-global-commands.ts";

const FIND = "Search or run a command";
/** Distinguishes reports from commands. */
const REPORT = "report:";
const EVERYWHERE = "everywhere";
/** By group. Other groups are actions of the page. */
const ICONS: Readonly<Record<string, Icon>> = {
  Cabinet: IconFolder,
  "Go to": IconArrowRight,
  Workspaces: IconBuilding,
  "This browser": IconDeviceDesktop,
};

interface DialogProps {
  owner: string;
  isOpen: boolean;
  /** Called when the field takes over the keys; returns what was typed until then. */
  onReady(): string;
  onClose(): void;
}

export function PaletteDialog({ owner, isOpen, onReady, onClose }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Command palette"
      withCloseButton={false}
      size="lg"
      centered={false}
      yOffset="12vh"
      padding={0}
      classNames={{ content: classes.dialog ?? "" }}
      styles={{ header: { position: "absolute", minHeight: 0, opacity: 0, pointerEvents: "none" } }}
    >
      {isOpen && <Commands owner={owner} onReady={onReady} onDone={onClose} />}
    </Modal>
  );
}

interface CommandsProps extends Pick<DialogProps, "owner" | "onReady"> {
  onDone(): void;
}

function Commands({ owner, onReady, onDone }: CommandsProps) {
  const [query, setQuery] = useState("");
  const others = useAccount().workspaces.flatMap(({ slug }) => (slug === owner ? [] : [slug]));
  const [isEverywhere, setEverywhere] = useState(false);
  const combobox = useCombobox({ opened: true, onDropdownClose: onDone });
  const here = useCommandList();
  const everywhere = useGlobalCommands(owner);
  const groups = chooseCommands([...here, ...everywhere], query);
  const reports = useFoundReports([owner, ...(isEverywhere ? others : [])], query, isEverywhere);
  const canWiden = !isEverywhere && query.trim() !== "";
  const isEmpty = reports.length === 0 && groups.length === 0;
  const navigate = useNavigate();

  const runOf = (value: string): (() => void) | undefined => {
    const report = reports.find((candidate) => REPORT + referenceText(candidate) === value);
    // A report of another workspace is shown by its link.
    if (report?.isShared) return () => location.assign(report.url);
    if (report !== undefined) {
      return () => void navigate({ to: "/r/$reference", params: { reference: referenceText(report) } });
    }
    return groups.flatMap(({ commands }) => commands).find(({ id }) => id === value)?.run;
  };
  const perform = (value: string) => {
    if (value === EVERYWHERE) {
      setEverywhere(true);
      return;
    }
    const run = runOf(value);
    // Closes first, so that the focus is back on the page before the command moves it.
    onDone();
    if (run !== undefined) setTimeout(run);
  };
  const [bestReport] = reports;
  const best = bestReport ? REPORT + referenceText(bestReport) : (groups[0]?.commands[0]?.id ?? "");
  const shown = `${reports.map(({ code }) => code).join()} ${groups.flatMap(({ commands }) => commands.map(({ id }) => id)).join()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter runs the best result
  useEffect(() => void combobox.selectFirstOption(), [shown]);

  return (
    <Combobox store={combobox} onOptionSubmit={perform}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          size="lg"
          variant="unstyled"
          px="md"
          aria-label={FIND}
          placeholder={isEverywhere ? "Search everywhere or run a command" : FIND}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={query}
          onKeyDown={({ key }) => {
            // A fast typist presses Enter before anything is selected.
            if (key === "Enter" && combobox.getSelectedOptionIndex() < 0) perform(best);
          }}
          onFocus={() => {
            const typed = onReady();
            if (typed !== "") setQuery((before) => before + typed);
          }}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      </Combobox.EventsTarget>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div className={classes.results} role="group" aria-label="Results" tabIndex={0}>
        {isEmpty && <p className={classes.empty}>No results</p>}
        <Combobox.Options aria-label="Commands and reports" hidden={isEmpty && !canWiden}>
          {reports.length > 0 && (
            <Combobox.Group label={isEverywhere ? "Reports in all workspaces" : "Reports"}>
              {reports.map((report) => (
                <Combobox.Option key={report.code} value={REPORT + referenceText(report)}>
                  <ReportLine report={report} withOwner={isEverywhere} />
                </Combobox.Option>
              ))}
            </Combobox.Group>
          )}
          {groups.map(({ name, commands }) => (
            <Combobox.Group key={name} label={name}>
              {commands.map((command) => (
                <Combobox.Option key={command.id} value={command.id}>
                  <CommandLine {...command} />
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {canWiden && (
            <Combobox.Group label="Search everywhere">
              <Combobox.Option value={EVERYWHERE}>
                <span className={classes.line}>
                  <IconWorldSearch size={18} aria-hidden />
                  <span className={classes.label}>Search all workspaces for “{query.trim()}”</span>
                </span>
              </Combobox.Option>
            </Combobox.Group>
          )}
        </Combobox.Options>
      </div>
      <div className={classes.foot} aria-hidden>
        <span>
          <Keys keys="↑ ↓" /> Move
        </span>
        <span>
          <Keys keys="Enter" /> Open
        </span>
        <span>
          <Keys keys="Escape" /> Close
        </span>
      </div>
    </Combobox>
  );
}

const ReportLine = ({ report, withOwner }: { report: FoundReport; withOwner: boolean }) => (
  <span className={classes.line}>
    <IconFileText size={18} aria-hidden />
    <span className={classes.label}>{report.title}</span>
    <span className={classes.name}>
      {withOwner ? [report.owner, report.name].filter(Boolean).join(" / ") : report.name}
    </span>
  </span>
);

function CommandLine({ label, hint, group }: Command) {
  const GroupIcon = ICONS[group] ?? IconBolt;
  return (
    <span className={classes.line}>
      <GroupIcon size={18} aria-hidden />
      <span className={classes.label}>{label}</span>
      {hint !== undefined && <Keys keys={hint} />}
    </span>
  );
}
