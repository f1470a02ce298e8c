import { useNavigate } from "@tanstack/react-router";
import { usePutDrop } from "./drop-box.tsx";

/** Returns a function that opens the publish page with chosen files. */
export function usePublishFiles(owner: string): (files: readonly File[]) => void {
  const put = usePutDrop();
  const navigate = useNavigate();
  return (files) => {
    if (files.length === 0) return;
    put({ entries: [], files });
    void navigate({ to: "/w/$owner/publish", params: { owner } });
  };
}
