import { errorCode } from "./s3-answers.ts";
import type { S3Answer } from "./s3-requests.ts";

/** Another object is there already. */
export const isTaken = ({ status }: S3Answer) => status === 412;

/** A bucket that is missing has the same status. */
export const isMissing = ({ status, body }: S3Answer) => status === 404 && errorCode(body) === "NoSuchKey";

/** Also whatever is asked of an empty object. */
export const isBeyondEnd = ({ status }: S3Answer) => status === 416;
