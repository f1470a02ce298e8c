import pixelmatch from "pixelmatch";

/** Pixels of the largest picture that is compared. */
const LARGEST = 16_000_000;
const DATA_URL = /^\s*data:[^,]{0,500};\s*base64\s*,/i;

/** Two pictures: their content, or a `data:` address. */
export interface Pictures {
  before: Blob | string;
  after: Blob | string;
}

export interface PixelComparison {
  before: ImageBitmap;
  after: ImageBitmap;
  /** Where they differ; undefined if their sizes differ. */
  difference: ImageBitmap | undefined;
  /** The share of pixels that readers see as different, from 0 to 1; undefined if their sizes differ. */
  share: number | undefined;
}

/** Compares two pictures pixel by pixel; smoothed edges don't count. Returns undefined if one can't be shown or is too large. */
export async function comparePixels(pictures: Pictures): Promise<PixelComparison | undefined> {
  const before = await decode(pictures.before);
  const after = await decode(pictures.after);
  if (before === undefined || after === undefined) return undefined;
  const { width, height } = after;
  if (before.width !== width || before.height !== height) {
    return { before, after, difference: undefined, share: undefined };
  }
  const output = new ImageData(width, height);
  const differing = pixelmatch(dataOf(before), dataOf(after), output.data, width, height, {
    threshold: 0.1,
    alpha: 0.2,
  });
  return { before, after, difference: await createImageBitmap(output), share: differing / (width * height) };
}

async function decode(picture: Blob | string): Promise<ImageBitmap | undefined> {
  try {
    const bitmap = await createImageBitmap(typeof picture === "string" ? blobOf(picture) : picture);
    return bitmap.width * bitmap.height <= LARGEST ? bitmap : undefined;
  } catch {
    return undefined;
  }
}

function blobOf(address: string): Blob {
  const [head] = DATA_URL.exec(address.slice(0, 600)) ?? [];
  if (head === undefined) throw new Error("The address doesn't hold a picture.");
  const bytes = atob(
    address.slice(head.length).replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))),
  );
  return new Blob([Uint8Array.from(bytes, (character) => character.charCodeAt(0))]);
}

function dataOf(bitmap: ImageBitmap): Uint8ClampedArray {
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  if (context === null) throw new Error("There is no canvas to compare on.");
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
}
