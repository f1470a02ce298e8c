/** Returns the text of a file with its byte order mark; undefined if it isn't UTF-8. */
export async function decodeText(source: Blob): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await source.arrayBuffer());
  } catch (error) {
    // A file that can't be read is another matter.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
