import { KubeError, type KubeErrorRequest } from "@typekube/core";
import type { HttpResponse } from "@typekube/core/internal";
import { describeRequest } from "../errors/describe-request.js";
import { gunzip, type InflateLimits } from "./gunzip.js";

/**
 * Content encoding that we request. The API server compares the value exactly: a `;q=` parameter would disable
 * compression.
 */
export const acceptEncoding = "gzip";

/** Characters of an encoding's name that an error message shows. */
const shownCharacters = 60;

/**
 * Decodes the content-encoding of a response. Its header decides, whatever was requested.
 *
 * @throws {KubeError} `Decode` for any encoding other than gzip, and for several encodings. For an error response, only
 * reading the body throws.
 */
export function decodeContent(
  response: HttpResponse,
  limits: InflateLimits,
  request: KubeErrorRequest,
): HttpResponse {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") {
    return response;
  }
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    const name = encoding.slice(0, shownCharacters);
    const error = new KubeError(
      "Decode",
      `the response has content-encoding ${name}, but the request accepts only gzip`,
      {
        hint: "a proxy or load balancer may have changed it",
        request: describeRequest(request),
      },
    );
    if (response.status < 300) {
      throw error;
    }
    // The HTTP status of an error response still counts, and it may carry Retry-After.
    return { ...response, body: unreadable(response.body, error) };
  }
  // Both headers describe the encoded bytes, not the decoded ones.
  const { "content-encoding": _encoding, "content-length": _length, ...headers } = response.headers;
  return {
    status: response.status,
    headers,
    body: gunzip(response.body, limits, describeRequest(request)),
  };
}

/** Returns a body that fails when it is read. Reading or cancelling it releases the connection. */
function unreadable(body: AsyncIterable<Uint8Array>, error: KubeError): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const bytes = body[Symbol.asyncIterator]();
      return {
        async next() {
          await bytes.return?.();
          throw error;
        },
        async return() {
          await bytes.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
