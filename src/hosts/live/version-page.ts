import type { StorageMode } from "../../domain/model/storage-mode.ts";
import { versionFact } from "./facts.ts";
import type { ShellCode } from "./shell-code.ts";
import { type ShownVersion, shellPage } from "./shell-page.ts";

export interface FramableVersion extends ShownVersion {
  storage: StorageMode;
  /** The frame's address. */
  src: string;
  workspaceId: string;
  isMaker: boolean;
}

interface VersionPage {
  shown: FramableVersion;
  /** Whether the publisher learns who the reader is. */
  isRecorded: boolean;
  code: ShellCode;
  nonce: string;
}

/** Returns the page that frames one version, which never changes. */
export function versionPage({ shown, isRecorded, code, nonce }: VersionPage): string {
  return shellPage({
    shown,
    reference: shown.code,
    style: code.style,
    script: code.versionScript,
    nonce,
    head: "",
    bar: { isLive: false, isRecorded, comments: true },
    withoutScript: "This page needs JavaScript, which is turned off in your browser.",
    afterFrame: "",
    state: versionFact(shown),
  });
}
