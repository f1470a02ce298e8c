import { IconPlus } from "@tabler/icons-react";
import { useMatch } from "@tanstack/react-router";
import { ButtonLink } from "../shared/link.tsx";
import styles from "./new-report-button.module.css";

/** Floats over the list of reports on phones. */
export function NewReportButton({ owner }: { owner: string }) {
  const isHome = useMatch({ from: "/w/$owner", shouldThrow: false }) !== undefined;
  if (!isHome) return null;
  return (
    <ButtonLink
      to="/w/$owner/publish"
      params={{ owner }}
      className={styles.button ?? ""}
      leftSection={<IconPlus size={20} aria-hidden />}
    >
      New report
    </ButtonLink>
  );
}
