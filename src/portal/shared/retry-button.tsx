import classes from "./retry-button.module.css";

/** Tries again what couldn't be loaded. Plain, because the component library isn't part of the first page. */
export const RetryButton = ({ onRetry }: { onRetry(): void }) => (
  <button type="button" className={classes.button} onClick={() => onRetry()}>
    Try again
  </button>
);
