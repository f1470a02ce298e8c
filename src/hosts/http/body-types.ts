const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const FORM_TYPE = /^multipart\/form-data\s*(?:;|$)/i;

/** Whether a `Content-Type` is that of JSON. */
export const isJson = (type: string): boolean => JSON_TYPE.test(type);

/** Whether a `Content-Type` is that of a form with files. */
export const isForm = (type: string): boolean => FORM_TYPE.test(type);
