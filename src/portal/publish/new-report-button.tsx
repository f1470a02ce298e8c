import { IconPlus } from "@tabler/icons-react";
import { ButtonLink } from "../shared/link.tsx";
import styles from "./new-report-button.module.css";

/** Floats over the list of reports on phones. */
export const NewReportButton = ({ owner }: { owner: string }) => (
  <nav className={styles.place} aria-label="Publishing">
    <ButtonLink
      to="/w/$owner/publish"
      params={{ owner }}
      className={styles.button ?? ""}
      leftSection={<IconPlus size={20} aria-hidden />}
    >
      New report
    </ButtonLink>
  </nav>
);
