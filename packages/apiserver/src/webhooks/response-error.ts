import { isJsonObject } from "../objects/json-value.js";

/** Messages by HTTP status. (apimachinery `NewGenericServerResponse`) */
const messages: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** Statuses whose body is the message. */
const spoken: ReadonlySet<number> = new Set([403, 406, 415]);

/** Maximum characters of a body in an error message. */
const maxShown = 2_048;

/**
 * Returns the error for a response of a webhook that has no review, with the message of client-go: that of a Status in
 * the body, otherwise one that depends on the HTTP status.
 *
 * @param contentType - of the body. Only text is quoted.
 */
export function responseError(status: number, body: string, contentType: string): Error {
  const given = statusMessage(body);
  const text = /^(?:text\/|$)/.test(contentType) ? body.trim() : "";
  const shown = text === "" ? "unknown" : text.slice(0, maxShown);
  return new Error(given ?? (spoken.has(status) ? shown : messageOf(status, shown)));
}

function messageOf(status: number, shown: string): string {
  const known = messages[status];
  if (known !== undefined) {
    return known;
  }
  return status >= 500
    ? `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}

/** Returns the message of a failure Status. */
function statusMessage(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { kind, status, message } = isJsonObject(value) ? value : {};
  return kind === "Status" && status !== "Success" && typeof message === "string"
    ? message
    : undefined;
}
