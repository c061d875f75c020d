/** Returns the error for a request that got no response, with Go's message. */
export function postError(url: string, why: string): Error {
  return new Error(`Post ${JSON.stringify(url)}: ${why}`);
}
