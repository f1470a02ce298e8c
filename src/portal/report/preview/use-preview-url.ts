import { useState } from "react";
import type { Report } from "../types.ts";

/** Milliseconds after which an address for frames is exchanged: it opens nothing after eight hours. */
const PREVIEW_LIFE = 7 * 60 * 60 * 1000;
/** Milliseconds between two readings, so that one comes in time whenever the one before was. */
export const PREVIEW_INTERVAL = 30 * 60 * 1000;

interface Kept {
  of: string;
  url: string | null;
  at: number;
}

const subjectOf = ({ code, visibility }: Report) => `${code} ${visibility}`;

/** Every answer has another address, but a frame that shows the report already is left alone while its own holds. */
export function usePreviewUrl(report: Report, readAt: number): string | null {
  const [kept, setKept] = useState<Kept>({ of: subjectOf(report), url: report.preview_url, at: readAt });
  if (kept.of === subjectOf(report) && readAt - kept.at < PREVIEW_LIFE) return kept.url;
  setKept({ of: subjectOf(report), url: report.preview_url, at: readAt });
  return report.preview_url;
}
