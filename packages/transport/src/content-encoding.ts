import { KubeError, type KubeErrorRequest } from "@typekube/core";
import type { HttpResponse } from "@typekube/core/internal";
import { describe } from "./exchange.js";
import { gunzip, type InflateLimits } from "./gunzip.js";

/**
 * What we ask for. The API server compares the token exactly: a `;q=` behind it would turn compression off.
 */
export const acceptEncoding = "gzip";

/** Characters of an encoding's name that an error shows. */
const shownCharacters = 60;

/**
 * Removes the content-encoding of a response, by its header and whatever was asked.
 *
 * @throws {KubeError} `Decode` for an encoding that we did not ask for, or more than one on top of each other. Of a refusal only
 *   reading the body fails so.
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
      `the body is encoded as ${name}, but only gzip was asked for`,
      {
        hint: "a proxy or load balancer may have changed it",
        request: describe(request),
      },
    );
    if (response.status < 300) {
      throw error;
    }
    // A refusal speaks by its HTTP status, and may ask to come again later.
    return { ...response, body: unreadable(response.body, error) };
  }
  // Both describe the bytes on the wire, not those that come out.
  const { "content-encoding": _encoding, "content-length": _length, ...headers } = response.headers;
  return {
    status: response.status,
    headers,
    body: gunzip(response.body, limits, describe(request)),
  };
}

/** A body that fails when it is read; whoever reads or drops it lets go of the connection. */
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
