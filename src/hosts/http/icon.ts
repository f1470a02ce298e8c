import { MARK_DOCUMENT } from "../../look/mark.ts";

/** The paths of the icon on both hosts. */
export const ICON_PATHS = { svg: "/favicon.svg", ico: "/favicon.ico" } as const;

type IconPath = (typeof ICON_PATHS)[keyof typeof ICON_PATHS];

export const isIconPath = (path: string): path is IconPath => Object.values<string>(ICON_PATHS).includes(path);

export const ICON_LINK = `<link rel="icon" href="${ICON_PATHS.svg}" type="image/svg+xml">`;

/** The icon at 16 and 32 pixels, for feed readers, older browsers and link previews, which request `/favicon.ico`. */
const ICO = Buffer.from(
  [
    "AAABAAIAEBAAAAEAIAAWAgAAJgAAACAgAAABACAA1AMAADwCAACJUE5HDQoaCgAAAA1JSERSAAAAEAAAABAIBgAAAB/z/2EAAAHLSURBVHicnF",
    "FLSFtRED3z8kKIlmJSlZS2JLXQUij0Y1tFQVwq+EdBQTcuQhAUd+IfiStBBbfqRsSFCwWDgktFFEVQs/ODEhR/+AU/+Mt13sXvS54LDwx37syZ",
    "c2fuqAAoosJdRoBHCHwjghkvgDlXRGIlCHSdd3S2k7XcXakQ2vEaBFGtcrEHr4Qg4VG4JZd2+e54D399M/45PxsW/HfFYaHOi6+xjrsIORSe2a",
    "K5b61WxEXHoK2gyFCgNb8QX2JiJVeWc61yn5xeW8Xk6gp+f3Ii5+efkOLcX/Eyp3FmA2sPceUpqWqgX54NGdmsTo8k9r1Zec84YQXm1gPw+efl",
    "jCUJSQ/xksRkuN5FY8g/JzmGAvJ13wCC/LO16ZlQFZO0mrQMGWv0DerpUPWB5d0d9M1MoZg78KSkcvsKPkTZ0Ds9KXN6UGSFW+iDH212XqkXJx",
    "cX8v7GYsGPplpsHh+FCISMoGHj8ABdE+OwR0RK65wYC1tsKKChZXQYZ5eX0lpGR4xoUIUQAV6ZU5/YOz1BaU83tvjlffYNsGgyJ/6N4o2nhssu",
    "7W5LASPwZrpNV/EJsyrdmFjEJojs9MJYGvjHr0lgid3esxtz0y0AAAD//1/VX/gAAAAGSURBVAMAujOWyScjydEAAAAASUVORK5CYIKJUE5HDQ",
    "oaCgAAAA1JSERSAAAAIAAAACAIBgAAAHN6evQAAAOJSURBVHicxJdpSFRRFMf/b94byxEp+xAtlNAetKjtkZFG2b6TQVYiSQWtXypopYKwPmQL",
    "YShSMEULGUlWGpmtpuBSFKlJmJWmH3IsfKmzvO559m5Px2Wey/SDgXPuPfecP/fduYsEPbuj+1qc5j2AMF0AgiCgP7oDBdUKUMiM17JoP4P4yz",
    "atS9AMy/bYhcxLEgRhEHoQRVEqmKDN8oXEB1yA3/bYCJiEh/AiiktZRCIEbNsWYDE73zMlA+FFaCZkyTVe8pWcm7xdnKBP7esQN0omYDr+E1Tb",
    "pEBxE2Dx8cHp1ZFIjIpBH19fdJYAiwVJG2LUXJSzJVRbYlMR2LLjXGQU1k2eptpmUUT0lUR0BsqzMmiSavv36o2t164066faptYG/qqv5/aakM",
    "kIGjIURgkeEsiLEz91OfW0KuDi08dwKQr3jy1dBaPErVrLbcqV+CILHgv4WF2Fq7nZ3A8fPRYzho2Ap4SNGoOZunhrzis1p8cCiONpd2F3Orkf",
    "t3ItPOWkLpZynLif2mZsmwIqam249DyL+yFDA7FsQjA6YvnEYIwbNJj7Cc+eqLkMCyDi0u+hrrGB+0eXrqCV22Y89R1ZsoL7NPZURhrao10BNb",
    "KMs5mPuD+q/wCsnzqjzfgo1kcxGvGPM9QcnRbQlCQdP+Q67h9atAySSXSLo7aDrE+DxpzNzEBHdChAbmzEqfR/0zi4bwC2hM5xi9s6e47apxH3",
    "ME0d22UBRMKzLHyz1XB/34LFzbZWsvdGLOY+xeoXcJcFOFzN/0r9LH7YFT6f+7vnRqhtGsdZLI3pNgGElW1MJdXfdUXnq4cN/XaFz+PtFKPfxD",
    "pC9Jk26ainwZW1tVjNzgbCR5QgsYMqdMRozBo+ksfsuG5FcVWlpykhwQCpbwtQ8OWzetAQW0LDoN8W8srL1BgjePwJNA6npnC7lySpM6Gx/84t",
    "GMWwgCclRXj1qdStPbP4A7Jbae92AcS+lJtubYd0M2NQgFJldBCtg5SCPO6T/eZrOYyjVEnsrlDIFlIEDLLzhhUNDge7Xrtw4O5tdAaqLdGTiS",
    "1kwwJsv2XEWpPRFai2SRHFBGba4HUUG9U21ccnlLmAGHgZdiWPptrquerIyS8yTwnJZWYYu1T4owf5+ziNlM8n3SOfH+z23PxS+8wJyWaXiZ2h",
    "QgNbF/7s6eqH7qDpef6SGVfZ83yD/VzyO63rDwAAAP//8AMK8QAAAAZJREFUAwD5VEausfTSQwAAAABJRU5ErkJggg==",
  ].join(""),
  "base64",
);

interface Icon {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

const ICONS: Readonly<Record<IconPath, Icon>> = {
  [ICON_PATHS.svg]: { type: "image/svg+xml", body: MARK_DOCUMENT },
  [ICON_PATHS.ico]: { type: "image/vnd.microsoft.icon", body: ICO },
};

/** Returns the icon at a path of either host, with that host's headers. */
export function iconResponse(
  path: IconPath,
  headersWith: (extra: Record<string, string>) => Headers | Record<string, string>,
): Response {
  const icon = ICONS[path];
  return new Response(icon.body, {
    headers: headersWith({ "Content-Type": icon.type, "Cache-Control": "public, max-age=86400" }),
  });
}
