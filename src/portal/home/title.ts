/** Takes the focus when nothing else is left to. */
export const TITLE_ID = "home-title";
