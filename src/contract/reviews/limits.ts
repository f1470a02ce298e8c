export { COMMENT_CHARACTERS, GUEST_NAME_CHARACTERS } from "../../domain/reviews/limits.ts";
