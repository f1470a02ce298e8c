/** Where the focus goes when there is nothing else left to have it. */
export const TITLE_ID = "home-title";
