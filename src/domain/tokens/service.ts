export { createTokens as createService } from "./tokens.ts";
