/** Milliseconds on screen before a card gets a frame; skips cards that scroll past. */
const DWELL_TIME = 300;

/** Reports the codes of cards that have been visible for a moment, longest first. */
export function createWatch(onChange: (seen: readonly string[]) => void) {
  const codes = new Map<Element, string>();
  const pendingCodes = new Map<string, object>();
  const seen = new Set<string>();

  function forget(code: string): void {
    pendingCodes.delete(code);
    if (seen.delete(code)) onChange([...seen]);
  }

  /** Cards that appear together are reported together. */
  function wait(arrived: readonly string[]): void {
    const turn = {};
    for (const code of arrived) pendingCodes.set(code, turn);
    setTimeout(() => {
      const stayed = arrived.filter((code) => pendingCodes.get(code) === turn);
      for (const code of stayed) {
        pendingCodes.delete(code);
        seen.add(code);
      }
      if (stayed.length > 0) onChange([...seen]);
    }, DWELL_TIME);
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
      pendingCodes.clear();
      observer.disconnect();
    },
  };
}
