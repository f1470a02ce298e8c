const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;

/** Returns the files of an uncompressed archive by name. Throws if it is damaged. */
export function unzip(archive: Buffer): Record<string, Buffer> {
  let end = archive.length - END_LENGTH;
  while (archive.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  const files: Record<string, Buffer> = {};
  let entry = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    const [method, sum, size] = [entry + 10, entry + 16, entry + 24].map((at, index) =>
      index === 0 ? archive.readUInt16LE(at) : archive.readUInt32LE(at),
    );
    const [nameLength = 0, extraLength = 0, commentLength = 0] = [28, 30, 32].map((at) =>
      archive.readUInt16LE(entry + at),
    );
    const name = archive.toString("utf8", entry + 46, entry + 46 + nameLength);
    const local = archive.readUInt32LE(entry + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + (size ?? 0));
    if (method !== 0 || Bun.hash.crc32(content) !== sum) throw new Error(`${name} is damaged or compressed.`);
    files[name] = content;
    entry += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}
