import { KubeError } from "@typekube/core";

/**
 * Notices pages that lead nowhere: a server that gives out a token again would be asked for ever. Keeps one token at a time, and
 * moves on to a newer one after twice as many pages, so a circle of any length is found (Brent's way).
 *
 * @returns a function to be told every token.
 * @throws {KubeError} out of it, `Decode` for one that came before.
 */
export function pageTokens(): (token: string) => void {
  let kept: string | undefined;
  let pages = 0;
  let until = 1;
  return (token) => {
    if (token === kept) {
      throw new KubeError("Decode", "the server returned the continue token of an earlier page", {
        hint: "its pages repeat; use pageSize: 0 to read everything in one list",
      });
    }
    pages++;
    if (pages === until) {
      kept = token;
      pages = 0;
      until *= 2;
    }
  };
}
