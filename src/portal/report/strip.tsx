import type { ReactNode } from "react";
import classes from "./strip.module.css";

interface StripProps {
  icon?: ReactNode;
  actions?: ReactNode;
  /** Whether something is wrong. */
  isWarning?: boolean;
  children: ReactNode;
}

/** A line above the report that concerns what is shown; below it on phones. */
export const Strip = ({ icon, actions, isWarning = false, children }: StripProps) => (
  <div className={classes.strip} data-warning={isWarning || undefined} role="status">
    {icon}
    <div className={classes.text}>{children}</div>
    {actions !== undefined && <div className={classes.actions}>{actions}</div>}
  </div>
);
