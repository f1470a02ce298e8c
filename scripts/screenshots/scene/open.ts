import { openScene, type Scene } from "../server.ts";
import { fillConnecting } from "./connecting.ts";
import { fillPeople } from "./people.ts";
import { fillReports } from "./reports.ts";
import { fillSharing } from "./sharing.ts";

/** Starts a server with all that is photographed. */
export async function openFilledScene(): Promise<Scene> {
  const scene = await openScene();
  try {
    await fillReports(scene);
    await fillPeople(scene);
    await fillSharing(scene);
    await fillConnecting(scene);
    return scene;
  } catch (error) {
    await scene[Symbol.asyncDispose]();
    throw error;
  }
}
