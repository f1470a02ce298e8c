import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";

/** A link within the portal without a look of its own, to be the `component` of what has one. */
export const Link = createLink((props: AnchorHTMLAttributes<HTMLAnchorElement>) => <a {...props} />);
