import { KubeError } from "@typekube/core";
import { type Credentials, concealed, reveal, type Secret } from "@typekube/transport";
import { type RefreshOutcome, refreshPublisher } from "@typekube/transport/internal";
import type { CredentialsCall } from "../credentials/credentials-types.js";
import { oneRunAtATime, type Waiters } from "../credentials/shared-run.js";
import { jwtExpiryMs } from "./jwt-expiry.js";
import type { OidcConfig, OidcOptions } from "./oidc-config.js";
import { refreshIdToken } from "./refresh-id-token.js";

/** Milliseconds before its expiry at which an id token counts as expired, as in client-go. */
export const oidcExpirySkewMs = 10_000;

/**
 * Provides the id token of a user. The refresh token is used to get a new one when it expires and after a 401; all
 * waiting calls share one refresh.
 *
 * kubectl writes new tokens back into the kubeconfig. Here they stay in memory, shared by all clients of this process.
 * With an issuer that accepts each refresh token only once, the next process therefore needs a new login.
 */
export function oidcCredentials(config: OidcConfig, { clock, env }: OidcOptions): Credentials {
  let idToken: Secret | undefined = config.idToken;
  let refreshToken = config.refreshToken;

  const tell = refreshPublisher("oidc");

  const obtain = async (why: RefreshOutcome["reason"], { signal }: Waiters): Promise<string> => {
    const reason = idToken ? why : "first";
    try {
      const token = await spend(signal);
      const expiresAt = jwtExpiryMs(token);
      tell({ reason, ok: true, ...(expiresAt === undefined ? {} : { expiresAt }) });
      return token;
    } catch (error) {
      tell({ reason, ok: false, error });
      throw error;
    }
  };
  const spend = async (signal: AbortSignal): Promise<string> => {
    if (!refreshToken) {
      throw new KubeError("Config", "the OIDC id-token has expired and no refresh-token is set", {
        hint: "log in again with the tool that wrote the kubeconfig",
      });
    }
    const next = await refreshIdToken(config, refreshToken, { clock, env, signal });
    refreshToken = next.refreshToken ?? refreshToken;
    idToken = next.idToken;
    if (jwtExpiryMs(reveal(idToken)) === undefined) {
      throw new KubeError("Config", `the id_token of ${config.issuer} has no expiry (exp)`);
    }
    return reveal(idToken);
  };
  // Issuers that rotate refresh tokens accept each one once. If a refresh were cancelled, its response and with it the
  // login would be lost.
  const run = oneRunAtATime(obtain, () => true);
  const current = (call: CredentialsCall | undefined): Promise<string> => {
    const token = idToken ? reveal(idToken) : "";
    const endsAt = jwtExpiryMs(token) ?? Number.NEGATIVE_INFINITY;
    return clock.now() < endsAt - oidcExpirySkewMs
      ? Promise.resolve(token)
      : run("expiry", call?.signal);
  };

  return concealed("OIDC token", {
    headers: async (call) => ({ authorization: `Bearer ${await current(call)}` }),
    refresh: async (refused, call) => {
      const before =
        refused?.headers["authorization"] ?? `Bearer ${idToken ? reveal(idToken) : ""}`;
      if (idToken && before !== `Bearer ${reveal(idToken)}`) {
        return true;
      }
      return (
        refreshToken !== undefined && `Bearer ${await run("unauthorized", call?.signal)}` !== before
      );
    },
  });
}
