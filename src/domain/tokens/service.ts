import { createTokens } from "./tokens.ts";

export const createService = (dependencies: Parameters<typeof createTokens>[0]) => createTokens(dependencies);
