import { resourceVersionOrder } from "@typekube/core";

/** Whether a version comes before another. Where versions have no order, none does. (KEP-5504) */
export function isOlderVersion(version: string, than: string | undefined): boolean {
  return version !== than && (resourceVersionOrder(version, than) ?? 0) < 0;
}
