import { useState } from "react";
import type { Report } from "../types.ts";

/** Milliseconds after which a frame's address is replaced; it expires after eight hours. */
const PREVIEW_LIFE = 7 * 60 * 60 * 1000;
/** Milliseconds between reads, often enough to replace the address in time. */
export const PREVIEW_INTERVAL = 30 * 60 * 1000;

interface KeptSettings {
  of: string;
  url: string | null;
  at: number;
}

const subjectOf = ({ code, visibility, storage }: Report) => `${code} ${visibility} ${storage}`;

/** Returns a stable address: each answer contains a new one, but replacing it would reload the frame. */
export function usePreviewUrl(report: Report, readAt: number): string | null {
  const [kept, setKept] = useState<KeptSettings>({ of: subjectOf(report), url: report.preview_url, at: readAt });
  if (kept.of === subjectOf(report) && readAt - kept.at < PREVIEW_LIFE) return kept.url;
  setKept({ of: subjectOf(report), url: report.preview_url, at: readAt });
  return report.preview_url;
}
