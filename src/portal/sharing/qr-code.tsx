import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import encodeQR from "qr";
import { useMemo } from "react";
import styles from "./sharing.module.css";

/** Empty modules around the code, which scanners need. */
const MARGIN = 2;

/** Shows a link as a QR code to scan or download. */
export function QrCode({ url, name }: { url: string; name: string }) {
  const { path, size } = useMemo(() => draw(url), [url]);
  return (
    <div className={styles.code}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${url}`} className={styles.qr}>
        <path d={path} fill="currentColor" shapeRendering="crispEdges" />
      </svg>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => save(path, size, `${name}-qr.svg`)}
      >
        Download SVG
      </Button>
    </div>
  );
}

function draw(url: string): { path: string; size: number } {
  const rows = encodeQR(url, "raw", { border: MARGIN });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { path, size: rows.length };
}

function save(path: string, size: number, name: string): void {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
