import { KubeError } from "@typekube/core";

/**
 * Returns path and query of a request to a backend, as they are sent. A text that begins with `/` is kept byte for byte;
 * of a URL, only path and query count.
 *
 * @throws {KubeError} `InvalidArgument` for a path that is not encoded, or that could lead to another resource of the API
 * server.
 */
export function backendPath(input: string | URL): string {
  const text = typeof input === "string" && input.startsWith("/") ? input : ofUrl(input);
  const [target = ""] = text.split("#");
  const [path = ""] = target.split("?");
  const reason = /[^\x21-\x7e]|[\\"<>^`{|}]/.test(target)
    ? "must be percent-encoded: use encodeURIComponent for its parts"
    : path.split(/\/|%2f|%5c/i).some(isDotSegment)
      ? 'must not contain "." or ".." as a segment'
      : undefined;
  if (reason !== undefined) {
    throw new KubeError("InvalidArgument", `path: ${reason}`);
  }
  return target;
}

function ofUrl(input: string | URL): string {
  if (!URL.canParse(String(input))) {
    throw new KubeError("InvalidArgument", 'path: must begin with "/", or be a URL');
  }
  const { pathname, search } = new URL(input);
  return pathname + search;
}

/** A server in between may resolve such segments, decoded or not, and the request would leave the proxy. */
function isDotSegment(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}
