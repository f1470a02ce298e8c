import type { ReactNode } from "react";
import classes from "./hidden.module.css";

/** Text for screen readers alone. */
export const Hidden = ({ children, ...props }: { children: ReactNode; role?: "status" }) => (
  <span className={classes.hidden} {...props}>
    {children}
  </span>
);
