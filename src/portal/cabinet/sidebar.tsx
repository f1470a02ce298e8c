/** Shortcuts, drawers and folders, and tags of a workspace. */
export function Sidebar({ owner }: { owner: string }) {
  return <div>{owner}</div>;
}
