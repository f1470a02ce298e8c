import { SettingError } from "./setting-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface S3Settings {
  /** URL of the bucket, without a slash at the end. */
  readonly bucketUrl: string;
  /** Empty, or ending in a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

const S3_FORM = "s3://bucket?endpoint=https://s3.example.org&region=…";
const DEFAULT_REGION = "us-east-1";
/** Characters that neither a URL nor a signature encodes. */
const S3_PREFIX = /^[\w./-]*$/;

/** Reads the S3 location of a command. `FROM_AWS_…` or `TO_AWS_…` replace `AWS_…` if the key ID is given that way. */
export function readS3Option(
  option: string,
  own: "FROM_" | "TO_",
  value: string,
  environment: Environment,
): S3Settings {
  return readS3(option, value, environment, environment[`${own}AWS_ACCESS_KEY_ID`]?.trim() ? own : "");
}

/** Reads the S3 address of a setting or option. Throws `SettingError` if it is invalid or credentials are missing. */
export function readS3(name: string, value: string, environment: Environment, own = ""): S3Settings {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlace = url?.protocol === "s3:" && /^[a-z0-9][\w.-]+$/i.test(url.hostname) && S3_PREFIX.test(url.pathname);
  if (!isPlace || url.username !== "" || url.port !== "" || url.hash !== "") {
    throw new SettingError(`${name} must look like ${S3_FORM}, without credentials.`);
  }
  const unknown = [...url.searchParams.keys()].find((key) => key !== "endpoint" && key !== "region");
  if (unknown !== undefined)
    throw new SettingError(`${name} has the unknown parameter "${unknown}". Use only endpoint and region.`);
  const variable = (key: string) => environment[own + key]?.trim() || undefined;
  const needed = (key: string) => {
    const found = variable(key);
    if (found === undefined) throw new SettingError(`${own}${key} is missing. It is required for ${name}.`);
    return found;
  };
  const region = url.searchParams.get("region") || variable("AWS_REGION") || DEFAULT_REGION;
  const prefix = url.pathname.split("/").filter((part) => part !== "");
  return Object.freeze({
    bucketUrl: bucketUrlOf(name, url.hostname, region, url.searchParams.get("endpoint")),
    prefix: prefix.map((part) => `${part}/`).join(""),
    region,
    accessKeyId: needed("AWS_ACCESS_KEY_ID"),
    secretAccessKey: needed("AWS_SECRET_ACCESS_KEY"),
    sessionToken: variable("AWS_SESSION_TOKEN"),
  });
}

/** Returns the bucket's URL: at Amazon a host name, unless dots in it would break the certificate, elsewhere a path. */
function bucketUrlOf(name: string, bucket: string, region: string, endpoint: string | null): string {
  if (endpoint === null) {
    const host = `s3.${region}.amazonaws.com`;
    return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
  }
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new SettingError(`${name} must have an endpoint such as https://s3.example.org.`);
  }
  return `${url.href.replace(/\/$/, "")}/${bucket}`;
}
