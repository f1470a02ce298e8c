/**
 * What a published page may do, as tokens for its own `Content-Security-Policy` and for the `sandbox` attribute of every
 * frame around it: neither gives the page more than the other.
 */
export const SANDBOX_TOKENS =
  "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";

/** The browser features that frames pass on to a published page, as their `allow` attribute. */
export const FRAME_FEATURES = "fullscreen *; clipboard-write *";
