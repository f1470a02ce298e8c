const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const FORM_TYPE = /^multipart\/form-data\s*(?:;|$)/i;

/** Returns whether a `Content-Type` is JSON. */
export const isJson = (type: string): boolean => JSON_TYPE.test(type);

/** Returns whether a `Content-Type` is a form with files. */
export const isForm = (type: string): boolean => FORM_TYPE.test(type);
