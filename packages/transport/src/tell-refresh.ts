import { type CredentialsRefreshed, diagnostics } from "@typekube/core/internal";

const refreshed = diagnostics("typekube:auth.refresh");

/** What one attempt to get credentials came to. */
export type RefreshOutcome = Omit<CredentialsRefreshed, "credentials" | "source">;

/**
 * Makes what tells `typekube:auth.refresh` of one set of credentials. Without a subscriber it does nothing.
 *
 * @param source - where they come from: `exec`, `oidc`, `token-file`, `tls-files`.
 */
export function refreshTeller(source: string): (outcome: RefreshOutcome) => void {
  const credentials = Object.freeze({});
  return (outcome) => {
    if (refreshed.hasSubscribers) {
      refreshed.publish({ credentials, source, ...outcome });
    }
  };
}
