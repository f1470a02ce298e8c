import { MARK } from "../../look/mark.ts";
import { FastLink } from "../shared/fast-link.tsx";
import classes from "./shell.module.css";

const HOME = { to: "/" } as const;

export const Logo = () => (
  <FastLink target={HOME} className={classes.logo} aria-label="Vitrine, home">
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx={MARK.radius} fill={MARK.color} />
      <path
        d={MARK.path}
        fill="none"
        stroke="#fff"
        strokeWidth={MARK.stroke}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
    <span className={classes.name}>Vitrine</span>
  </FastLink>
);
