import { PASSWORD } from "../support/service.ts";
import { until } from "../support/until.ts";
import type { Driven } from "./driven.ts";

/** An expression for the first visible button or the like whose name starts with a text. */
export const button = (name: string): string =>
  `[...document.querySelectorAll("button, [role=button], [role=menuitem], label")].find((each) => each.checkVisibility() && (each.ariaLabel ?? each.textContent).trim().startsWith(${JSON.stringify(name)}))`;

/** An expression for an element's text, on one line. */
export const textOf = (element: string): string => `String(${element}?.innerText ?? "").replace(/\\s+/g, " ")`;

/** Returns what scenarios do with a browser, which is looked up at each use. */
export function actingIn(find: () => Driven) {
  /** Waits until an expression is true; says what another one was if that never happens. Pages that are being left have none. */
  async function isTrue(expression: string, evaluate = find().evaluate): Promise<void> {
    await until(async () => (await evaluate(expression).catch(() => false)) === true).catch(async () => {
      const shown = await find().evaluate("document.body.innerText").catch(String);
      throw new Error(`${expression} was never true, in: ${String(shown)}`);
    });
  }

  async function clickOn(element: string): Promise<void> {
    await until(async () => {
      const isThere = await find().evaluate(`(() => {
        document.querySelectorAll("[data-target]").forEach((each) => each.removeAttribute("data-target"));
        const target = ${element};
        target?.setAttribute("data-target", "");
        return target instanceof Element;
      })()`);
      if (isThere !== true) return undefined;
      await find().click("[data-target]");
      return true;
    });
  }

  /** Opens a page that leads to signing in, and signs in. */
  async function signIn(url: string, email: string, password = PASSWORD): Promise<void> {
    await find().open(url);
    await isTrue("document.querySelector('form[data-to*=sign-in]') !== null");
    await find().type("input[name=email]", email);
    await find().type("input[name=password]", password);
    await find().click("form[data-to*=sign-in] button");
  }

  return {
    isTrue,
    clickOn,
    signIn,
    isTrueInReport: (expression: string) => isTrue(expression, find().evaluateInReport),
    shows: (text: string) => isTrue(`document.body.innerText.includes(${JSON.stringify(text)})`),
  };
}
