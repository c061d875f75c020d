import { resourceVersionOrder } from "@typekube/core";

/** Returns true when a resourceVersion is older than another. Without an order, neither is older. (KEP-5504) */
export function isOlderVersion(version: string, than: string | undefined): boolean {
  return version !== than && (resourceVersionOrder(version, than) ?? 0) < 0;
}
