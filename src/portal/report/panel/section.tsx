import type { ReactNode } from "react";
import classes from "./panel.module.css";

interface SectionProps {
  title: string;
  /** A control beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of the panel. */
export const Section = ({ title, action, children }: SectionProps) => (
  <section aria-label={title}>
    <div className={classes.sectionHead}>
      <h2 className={classes.sectionTitle}>{title}</h2>
      {action}
    </div>
    {children}
  </section>
);
