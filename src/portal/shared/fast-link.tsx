import { useRouter } from "@tanstack/react-router";
import { type ComponentProps, type MouseEvent, useRef } from "react";
import type { HomeSearch } from "../api/filter.ts";

/** The pages that the first page links to. */
export type Target =
  | { to: "/" }
  | { to: "/shared" }
  | { to: "/requests" }
  | { to: "/inbox" }
  | { to: "/w/$owner"; owner: string; search?: HomeSearch }
  | { to: "/w/$owner/publish" | "/w/$owner/trash"; owner: string }
  | { to: "/r/$reference"; reference: string };

type Across = Extract<Target, { to: "/shared" | "/requests" | "/inbox" }>;

const isAcross = (target: Target): target is Across =>
  target.to === "/shared" || target.to === "/requests" || target.to === "/inbox";

const BASE = "/-";
/** Milliseconds over a link after which its page is loaded in advance. */
const INTENT = 50;

/** Returns how to reach pages of the portal. */
export function useTargets() {
  const router = useRouter();
  return {
    hrefOf(target: Target): string {
      if (target.to === "/" || isAcross(target)) return BASE + target.to;
      if (target.to === "/r/$reference") return `${BASE}/r/${encodeURIComponent(target.reference)}`;
      const home = `${BASE}/w/${encodeURIComponent(target.owner)}`;
      if (target.to !== "/w/$owner") return home + target.to.slice("/w/$owner".length);
      return home + (target.search === undefined ? "" : router.options.stringifySearch(target.search));
    },
    open(target: Target): void {
      if (target.to === "/" || isAcross(target)) void router.navigate({ to: target.to });
      else if (target.to === "/r/$reference") {
        void router.navigate({ to: target.to, params: { reference: target.reference } });
      } else if (target.to !== "/w/$owner") {
        void router.navigate({ to: target.to, params: { owner: target.owner } });
      } else void router.navigate({ to: target.to, params: { owner: target.owner }, search: target.search ?? {} });
    },
    preload(target: Target): void {
      // It is loaded again, and its error shown, when it is opened.
      const ignore = () => undefined;
      if (target.to === "/r/$reference") {
        router.preloadRoute({ to: target.to, params: { reference: target.reference } }).catch(ignore);
      } else if (target.to === "/w/$owner/publish" || target.to === "/w/$owner/trash") {
        router.preloadRoute({ to: target.to, params: { owner: target.owner } }).catch(ignore);
      } else if (isAcross(target)) {
        router.preloadRoute({ to: target.to }).catch(ignore);
      } else if (target.to === "/w/$owner") {
        const search = target.search ?? {};
        router.preloadRoute({ to: target.to, params: { owner: target.owner }, search }).catch(ignore);
      }
    },
  };
}

/** Returns whether a click on a link stays in this tab. */
export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey && !defaultPrevented;

interface FastLinkProps extends Omit<ComponentProps<"a">, "href" | "target" | "onClick"> {
  target: Target;
}

/** A link within the portal. Unlike the router's own, it isn't rendered again whenever the address changes. */
export function FastLink({ target, children, ...props }: FastLinkProps) {
  const { hrefOf, open, preload } = useTargets();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (
    <a
      {...props}
      href={hrefOf(target)}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        open(target);
      }}
      onMouseEnter={() => {
        timer.current = setTimeout(() => preload(target), INTENT);
      }}
      onMouseLeave={() => clearTimeout(timer.current)}
    >
      {children}
    </a>
  );
}
