import type { TransportOptions } from "@typekube/transport";
import type { KubeconfigUser } from "./kubeconfig.js";

/** As whom requests are to be judged. */
export type Impersonation = NonNullable<TransportOptions["impersonate"]>;

/** Whom a user of a kubeconfig stands in for, if anybody. */
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

/** YAML writes an empty list as nothing, too. */
function withoutNull(
  extra: Readonly<Record<string, readonly string[] | null | undefined>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, values ?? []]));
}
