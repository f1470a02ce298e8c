import { errorCode } from "./s3-answers.ts";
import type { S3Answer } from "./s3-requests.ts";

/** Returns whether an object with this key already exists. */
export const isTaken = ({ status }: S3Answer) => status === 412;

/** Returns whether the object is missing. A missing bucket has the same status but another code. */
export const isMissing = ({ status, body }: S3Answer) => status === 404 && errorCode(body) === "NoSuchKey";

/** Returns whether the range starts after the end, as any range of an empty object does. */
export const isBeyondEnd = ({ status }: S3Answer) => status === 416;
