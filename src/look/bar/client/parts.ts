/** Returns an element of the bar's markup. Throws if it is missing or of another type. */
export function partOf<Kind extends Element>(root: ParentNode, name: string, kind: new () => Kind): Kind {
  const element = root.querySelector(`[data-part="${name}"]`);
  if (!(element instanceof kind)) throw new Error(`The page has no ${kind.name} "${name}".`);
  return element;
}

/** Returns an element that only some bars have. */
export function optionalPartOf<Kind extends Element>(
  root: ParentNode,
  name: string,
  kind: new () => Kind,
): Kind | undefined {
  return root.querySelector(`[data-part="${name}"]`) === null ? undefined : partOf(root, name, kind);
}
