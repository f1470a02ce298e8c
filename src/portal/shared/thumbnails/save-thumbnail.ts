import type { Pixels } from "../../../client/definitions.ts";
import { setThumbnailRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";

/** The size of a thumbnail, in pixels. */
export const THUMBNAIL_SIZE = { width: 640, height: 400 };

/** Bytes, so that a page of thumbnails loads quickly. */
const WEBP_BYTES = 40 * 1024;
/** Bytes that the server accepts, for browsers that don't write WebP. */
const PNG_BYTES = 64 * 1024;
const QUALITIES = [0.8, 0.6, 0.4, 0.2];
const SCALES = [1, 0.7, 0.5];

/** Saves a picture as the thumbnail of a version. Resolves also if that fails, because lists do without. */
export async function saveThumbnail(code: string, pixels: Pixels): Promise<void> {
  const file = await encode(pixels);
  if (file === undefined) return;
  const image = await toBase64(file);
  await api.call(setThumbnailRoute, { body: { code, image } }).catch(() => undefined);
}

/** Returns the picture as a file that is small enough, or undefined. */
async function encode(pixels: Pixels): Promise<Blob | undefined> {
  const canvas = draw(pixels);
  for (const quality of QUALITIES) {
    const file = await toFile(canvas, "image/webp", quality);
    if (file?.type !== "image/webp") return encodeAsPng(canvas);
    if (file.size <= WEBP_BYTES) return file;
  }
  return undefined;
}

async function encodeAsPng(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  for (const scale of SCALES) {
    const file = await toFile(scaled(canvas, scale), "image/png");
    if (file !== null && file.size <= PNG_BYTES) return file;
  }
  return undefined;
}

/** Draws again what the page sent, so that what is saved comes from this browser's encoder. */
function draw({ width, height, data }: Pixels): HTMLCanvasElement {
  const canvas = createCanvas(width, height);
  contextOf(canvas).putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas;
}

function scaled(canvas: HTMLCanvasElement, scale: number): HTMLCanvasElement {
  const smaller = createCanvas(Math.round(canvas.width * scale), Math.round(canvas.height * scale));
  contextOf(smaller).drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}

const createCanvas = (width: number, height: number): HTMLCanvasElement =>
  Object.assign(document.createElement("canvas"), { width, height });

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) throw new Error("This browser can't draw on another canvas.");
  return context;
}

const toFile = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, quality));

async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
