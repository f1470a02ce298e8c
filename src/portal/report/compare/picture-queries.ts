import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { pathOfAddress } from "../../../html/paths.ts";
import { askComparer, type ImageAddresses } from "../../../look/changes/client/ask-comparer.ts";
import type { FoundChanges } from "../changes/rendered-changes.ts";
import { fileBytesQuery } from "./file-queries.ts";

/** Two versions of a picture: paths of files, or `data:` addresses. */
export interface PicturePair {
  before: PictureSource;
  after: PictureSource;
}

export interface PictureSource {
  code: string;
  /** The path of a file, or a `data:` address. */
  address: string;
}

/** Names of files that browsers show as pictures. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i;

export const isPicture = (path: string): boolean => PICTURE.test(path);

/** Returns the two versions of each picture that changed, by its index in the list of changes. */
export const changedPicturesQuery = (changes: FoundChanges) =>
  queryOptions({
    queryKey: ["files", changes.from.code, changes.to.code, "pictures", changes.rendered],
    queryFn: async ({ client }): Promise<ReadonlyMap<number, PicturePair>> => {
      const images = changes.changes.flatMap(({ kind, old_place, new_place }, index) =>
        kind === "image" && old_place && new_place ? [{ index, before: old_place.block, after: new_place.block }] : [],
      );
      if (images.length === 0) return new Map();
      const pages = changes.pages ?? (await readPages(client, changes));
      const addresses = (await askComparer("addresses", { ...pages, places: images })) ?? [];
      return new Map(
        images.flatMap(({ index }, at) => {
          const pair = pairOf(changes, addresses[at]);
          return pair === undefined ? [] : [[index, pair]];
        }),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
  });

async function readPages(client: QueryClient, { from, to, path }: FoundChanges) {
  const read = async (code: string) => new TextDecoder().decode(await client.fetchQuery(fileBytesQuery(code, path)));
  return { before: await read(from.code), after: await read(to.code) };
}

function pairOf({ from, to, path }: FoundChanges, addresses: ImageAddresses | undefined): PicturePair | undefined {
  const { before, after } = addresses ?? {};
  if (before === undefined || after === undefined) return undefined;
  const addressOf = (address: string) => (isData(address) ? address : pathOfAddress(path, address));
  return {
    before: { code: from.code, address: addressOf(before) },
    after: { code: to.code, address: addressOf(after) },
  };
}

const isData = (address: string): boolean => /^\s*data:/i.test(address);

/** Returns how many pixels of a picture changed; null if it can't be shown. */
export const pixelsQuery = ({ before, after }: PicturePair) =>
  queryOptions({
    queryKey: ["files", before.code, after.code, "pixels", before.address, after.address],
    queryFn: async ({ client }) => {
      const read = async ({ code, address }: PictureSource) =>
        isData(address) ? address : new Blob([await client.fetchQuery(fileBytesQuery(code, address))]);
      return (await askComparer("pixels", { before: await read(before), after: await read(after) })) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
  });
