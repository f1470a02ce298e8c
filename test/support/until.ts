/** Resolves to the first value that is not undefined; asks until the deadline. */
export async function until<Value>(ask: () => Promise<Value | undefined>, deadline = 20_000): Promise<Value> {
  for (const end = Date.now() + deadline; Date.now() < end; await Bun.sleep(10)) {
    const value = await ask();
    if (value !== undefined) return value;
  }
  throw new Error(`Nothing came of it in ${deadline} ms.`);
}
