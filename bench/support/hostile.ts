/** Returns bodies of about `size` bytes that are expensive for a careless server to read. */
export function buildHostileBodies(size: number): Record<string, string> {
  return {
    "unclosed arrays": "[".repeat(size),
    "nested arrays": `{"name":${nested("[", "]", size - 10)}}`,
    "nested objects": `{"name":${nested('{"a":', "}", size - 10, "1")}}`,
    "many files": `{"files":[${filled("{}", size - 20)}]}`,
    "many keys": `{${Array.from({ length: Math.floor(size / 18) }, (_, n) => `"k${String(n).padStart(9, "0")}":null`).join(",")}}`,
    "one long name": `{"name":"${"a".repeat(size - 11)}"}`,
    "many numbers": `{"name":[${filled("1.5e-7", size - 20)}]}`,
  };
}

function nested(open: string, close: string, size: number, core = ""): string {
  const depth = Math.floor(size / (open.length + close.length));
  return open.repeat(depth) + core + close.repeat(depth);
}

const filled = (element: string, size: number) =>
  `${element},`.repeat(Math.floor(size / (element.length + 1)) - 1) + element;
