import { ActionIcon, Badge } from "@mantine/core";
import { IconFile, IconFileTypeHtml, IconX } from "@tabler/icons-react";
import { describeBytes } from "../shared/amounts.ts";
import { baseName, type DraftFile, INDEX, isHtml } from "./draft-files.ts";
import styles from "./file-list.module.css";

interface Props {
  file: DraftFile;
  /** What it is called in the report. */
  name: string;
  onRemove(): void;
}

/** A file to publish. Renders little, because there can be a hundred. */
export function FileRow({ file, name, onRemove }: Props) {
  const { path, source } = file;
  const own = baseName(path);
  const Icon = isHtml(file) ? IconFileTypeHtml : IconFile;
  return (
    <li className={`${styles.row} ${styles.line}`}>
      <Icon size={18} aria-hidden className={styles.fixed} />
      <div className={styles.name}>
        <span className={styles.folder}>{path.slice(0, path.length - own.length)}</span>
        {own}
        {name !== path && <span className={styles.folder}> → {name}</span>}
      </div>
      {name === INDEX && <Badge className={styles.fixed}>opens first</Badge>}
      <span className={styles.size}>{describeBytes(source.size)}</span>
      <ActionIcon variant="subtle" color="gray" size="lg" data-remove aria-label={`Remove ${path}`} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </li>
  );
}
