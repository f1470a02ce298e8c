import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { loadPart } from "./missing-part.ts";

/** Returns a component whose code is loaded when it is first rendered, below Suspense. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await loadPart(load()) }));
