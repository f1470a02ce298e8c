/**
 * Returns a short digest of an image in its address, by which a browser and the server recognize it. It need not withstand an
 * attacker: the report is the publisher's own.
 */
export function shortDigest(text: string): string {
  let [one, other] = [0x811c9dc5, text.length];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) ^ (other >>> 13);
  }
  return [one, other].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
