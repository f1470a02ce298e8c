import { accountFields, FORM_SCRIPT, formHtml, SIGN_IN } from "../../http/forms.ts";
import { escapeHtml } from "../../http/html.ts";
import { signInPath } from "../../http/page-responses.ts";
import { page } from "../../http/pages.ts";

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
