import { lazyPart } from "../lazy-part.ts";
import { PartBoundary } from "../part-boundary.tsx";
import type { MenuFrameProps } from "./menu-frame.tsx";

export const loadMenu = () => import("./menu-frame.tsx").then(({ MenuFrame }) => MenuFrame);

const MenuFrame = lazyPart(loadMenu);

/** A menu whose code is loaded when it first opens. */
export const LazyMenu = (props: MenuFrameProps) => (
  <PartBoundary onDismiss={props.onClose}>
    <MenuFrame {...props} />
  </PartBoundary>
);
