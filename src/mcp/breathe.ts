/** Resolves after other pending work has run. */
export const breathe = () => new Promise((resolve) => setTimeout(resolve));
