import { type CredentialsRefreshed, diagnostics } from "@typekube/core/internal";

const refreshed = diagnostics("typekube:auth.refresh");

/** Outcome of one attempt to get credentials. */
export type RefreshOutcome = Omit<CredentialsRefreshed, "credentials" | "source">;

/**
 * Returns a function that publishes `typekube:auth.refresh` for one set of credentials. It does nothing without a
 * subscriber.
 *
 * @param source - origin of the credentials: `exec`, `oidc`, `token-file`, `tls-files`.
 */
export function refreshPublisher(source: string): (outcome: RefreshOutcome) => void {
  const credentials = Object.freeze({});
  return (outcome) => {
    if (refreshed.hasSubscribers) {
      refreshed.publish({ credentials, source, ...outcome });
    }
  };
}
