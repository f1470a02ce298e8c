import { escapeHtml } from "../../html.ts";
import { page } from "../../pages.ts";
import { accountFields, FORM_SCRIPT, formHtml, SIGN_IN } from "../forms.ts";
import { signInPath } from "../page-responses.ts";

/** `next` is a path of this host. */
export const signUpPage = (nonce: string, next: string) =>
  page(
    "Make an account",
    `${formHtml({
      to: ["/api/auth/sign-up", SIGN_IN],
      next,
      button: "Make account",
      fields: accountFields(),
    })}
<p>You have one? <a href="${escapeHtml(signInPath(next))}">Sign in</a>.</p>`,
    { nonce, script: FORM_SCRIPT },
  );
