/** The sandbox permissions of a published page, used in its headers and in the frames around it. */
export const SANDBOX_TOKENS =
  "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";
