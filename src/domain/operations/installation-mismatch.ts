/** Indicates that a database and published files belong to different installations. */
export class InstallationMismatch extends Error {
  override readonly name = "InstallationMismatch";
}
