/** Returns a frame with the rights of another. It loads unseen but laid out, so charts know their width. */
export function prepareFrame(like: HTMLIFrameElement, src: string, title: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  for (const name of ["sandbox", "allow"]) frame.setAttribute(name, like.getAttribute(name) ?? "");
  frame.className = "waiting";
  frame.title = title;
  frame.src = src;
  return frame;
}
