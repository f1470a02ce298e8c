const OWNER = "vitrine-workspace";

/** The workspace this browser was in last. */
export const rememberedOwner = (): string | undefined => localStorage.getItem(OWNER) ?? undefined;

export const rememberOwner = (slug: string): void => localStorage.setItem(OWNER, slug);
