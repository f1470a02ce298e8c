/** What a published page may do, in its own headers and in the frames around it: neither gives a page more than the other. */
export const SANDBOX_TOKENS =
  "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";
