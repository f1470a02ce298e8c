import { createBucketFiles } from "../../src/blobs/backup-files-s3.ts";
import { createBucket, s3Unavailable } from "../support/s3.ts";
import { random } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { testBackupFiles } from "./backup-files.ts";

describeIf("backup files in a bucket", s3Unavailable(), () => {
  testBackupFiles(async () => createBucketFiles((await createBucket()).place({ prefix: "some/place/" }), random));
});
