import { failure } from "./status-errors.js";

/**
 * Returns a 501 for a subresource that only a node or running container could serve.
 *
 * @param handler - the handler of `pods` that could serve it.
 */
export function notServed(subresource: string, handler?: string): Error {
  const wayOut = handler ? ` unless it is started with a handler: { pods: { ${handler} } }` : "";
  return failure(
    501,
    undefined,
    `the embedded server does not serve the subresource "${subresource}"${wayOut}`,
  );
}
