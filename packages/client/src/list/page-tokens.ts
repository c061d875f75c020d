import { KubeError } from "@typekube/core";

/**
 * Detects pages that repeat: a server that returns the same token again would be requested indefinitely. Remembers one
 * token at a time and replaces it by a newer one after twice as many pages, so that a cycle of any length is found
 * (Brent's algorithm).
 *
 * @returns a function to call with every token.
 * @throws {KubeError} from that function, `Decode` for a token of an earlier page.
 */
export function pageTokens(): (token: string) => void {
  let kept: string | undefined;
  let pages = 0;
  let until = 1;
  return (token) => {
    if (token === kept) {
      throw new KubeError("Decode", "the server returned the continue token of an earlier page", {
        hint: "the pages of this server repeat; use pageSize: 0 to read all items with one list",
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
