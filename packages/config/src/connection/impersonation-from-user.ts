import type { TransportOptions } from "@typekube/transport";
import type { KubeconfigUser } from "../kubeconfig/kubeconfig.js";

/** A user to impersonate, with uid, groups and extra attributes. */
export type Impersonation = NonNullable<TransportOptions["impersonate"]>;

/** Returns the impersonation that a kubeconfig user is configured with, if any. */
export function impersonationFromUser(user: KubeconfigUser): Impersonation | undefined {
  const { as, "as-uid": uid, "as-groups": groups, "as-user-extra": extra } = user;
  if (!as) {
    return undefined;
  }
  return {
    user: as,
    ...(uid ? { uid } : {}),
    ...(groups?.length ? { groups } : {}),
    ...(extra ? { extra: withoutNull(extra) } : {}),
  };
}

/** Replaces null by empty lists, which YAML may write as null. */
function withoutNull(
  extra: Readonly<Record<string, readonly string[] | null | undefined>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, values ?? []]));
}
