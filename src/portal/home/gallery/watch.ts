/** Milliseconds on screen before a report counts as looked at: what one scrolls past does not. */
const PATIENCE = 300;

/** Tells the codes of the cards that are on screen and have been for a while, the longest first. */
export function createWatch(onChange: (seen: readonly string[]) => void) {
  const codes = new Map<Element, string>();
  const awaited = new Map<string, object>();
  const seen = new Set<string>();

  function forget(code: string): void {
    awaited.delete(code);
    if (seen.delete(code)) onChange([...seen]);
  }

  /** Those that came together are told together. */
  function wait(arrived: readonly string[]): void {
    const turn = {};
    for (const code of arrived) awaited.set(code, turn);
    setTimeout(() => {
      const stayed = arrived.filter((code) => awaited.get(code) === turn);
      for (const code of stayed) {
        awaited.delete(code);
        seen.add(code);
      }
      if (stayed.length > 0) onChange([...seen]);
    }, PATIENCE);
  }

  const observer = new IntersectionObserver((entries) => {
    const arrived: string[] = [];
    for (const { target, isIntersecting } of entries) {
      const code = codes.get(target);
      if (code === undefined) continue;
      if (!isIntersecting) forget(code);
      else if (!seen.has(code)) arrived.push(code);
    }
    if (arrived.length > 0) wait(arrived);
  });

  return {
    observe(element: Element, code: string): () => void {
      codes.set(element, code);
      observer.observe(element);
      return () => {
        observer.unobserve(element);
        codes.delete(element);
        forget(code);
      };
    },
    stop(): void {
      awaited.clear();
      observer.disconnect();
    },
  };
}
