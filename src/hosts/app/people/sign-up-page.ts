import { escapeHtml } from "../../../look/html.ts";
import { accountFields, FORM_SCRIPT, formHtml, SIGN_IN } from "../../http/forms.ts";
import { signInPath } from "../../http/page-responses.ts";
import { page } from "../../http/pages.ts";

/** Returns the page for creating an account. `next` is the path of this host to go to afterwards. */
export const signUpPage = (nonce: string, next: string) =>
  page(
    "Create an account",
    `${formHtml({
      to: ["/api/auth/sign-up", SIGN_IN],
      next,
      button: "Create account",
      fields: accountFields(),
    })}
<p>Already have an account? <a href="${escapeHtml(signInPath(next))}">Sign in</a>.</p>`,
    { nonce, script: FORM_SCRIPT },
  );
