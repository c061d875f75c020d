import { KubeError } from "@typekube/core";
import { collectBytes, type HttpResponse } from "@typekube/core/internal";
import { createTransport, reveal, Secret } from "@typekube/transport";
import { proxyFromEnvironment } from "../environment/proxy-from-environment.js";
import { type OidcConfig, type OidcOptions, oidcCa } from "./oidc-config.js";

/** Timeout of one request to the issuer, in milliseconds. */
const issuerTimeoutMs = 30_000;

/** Bytes that a response of the issuer may have. */
const maxIssuerBytes = 1024 * 1024;

/** Tokens that an issuer returns for a refresh token. */
export interface RefreshedTokens {
  readonly idToken: Secret;
  /** The next refresh token, when the issuer rotates them. */
  readonly refreshToken: Secret | undefined;
}

/**
 * Gets a new id token: finds the token endpoint in the issuer's discovery document and sends the refresh token there.
 * Redirects are not followed, and nothing is sent over plain http. The issuer is reached through the environment's
 * proxy, as in client-go, since the cluster's `proxy-url` applies to the cluster only.
 *
 * @throws {KubeError} `Config` when the issuer refuses or returns an unexpected response; network errors unchanged.
 * Errors contain nothing of the response except an OAuth error code.
 */
export async function refreshIdToken(
  config: OidcConfig,
  refreshToken: Secret,
  { clock, env, signal }: OidcOptions & { readonly signal: AbortSignal },
): Promise<RefreshedTokens> {
  const ca = await oidcCa(config);
  const call = async (url: URL, form?: { body: string; authorization: string | undefined }) => {
    // Two requests an hour are not worth keeping connections open.
    const proxy = proxyFromEnvironment(url.origin, env);
    await using transport = createTransport({
      server: url.origin,
      ...(proxy === undefined ? {} : { proxy: new Secret(proxy) }),
      ...(ca === undefined ? {} : { tls: { ca } }),
      timeoutMs: issuerTimeoutMs,
      clock,
    });
    const response = await transport.send({
      method: form ? "POST" : "GET",
      path: url.pathname + url.search,
      headers: {
        accept: "application/json",
        ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
        ...(form?.authorization ? { authorization: form.authorization } : {}),
      },
      ...(form ? { body: Buffer.from(form.body) } : {}),
      mode: "call",
      signal,
    });
    return { status: response.status, json: await readJson(response, config.issuer) };
  };

  const discovery = await call(new URL(`${config.issuer}/.well-known/openid-configuration`));
  const endpoint = discovery.json["token_endpoint"];
  if (
    discovery.status !== 200 ||
    typeof endpoint !== "string" ||
    !URL.canParse(endpoint) ||
    !endpoint.startsWith("https://")
  ) {
    throw new KubeError(
      "Config",
      `the OIDC issuer ${config.issuer} does not name an https token endpoint (HTTP ${discovery.status})`,
    );
  }
  const reply = await call(
    new URL(endpoint),
    tokenRequest(config, refreshToken, discovery.json["token_endpoint_auth_methods_supported"]),
  );
  const { id_token: idToken, refresh_token: next, error } = reply.json;
  if (reply.status === 429 || reply.status >= 500) {
    throw new KubeError(
      "Config",
      `the OIDC issuer ${config.issuer} failed (HTTP ${reply.status})`,
      { hint: "the login may still be valid: retry later" },
    );
  }
  if (reply.status !== 200) {
    const reason = typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? `, ${error}` : "";
    throw new KubeError(
      "Config",
      `the OIDC issuer ${config.issuer} refused the refresh token (HTTP ${reply.status}${reason})`,
      { hint: "log in again with the tool that wrote the kubeconfig" },
    );
  }
  if (typeof idToken !== "string" || idToken === "") {
    throw new KubeError("Config", `the OIDC issuer ${config.issuer} returned no id_token`);
  }
  if (/[^\x21-\x7e]/.test(idToken)) {
    throw new KubeError(
      "Config",
      `the OIDC issuer ${config.issuer} returned an id_token that is not a valid header value`,
    );
  }
  return {
    idToken: new Secret(idToken),
    refreshToken: typeof next === "string" && next !== "" ? new Secret(next) : undefined,
  };
}

function tokenRequest(
  { clientId, clientSecret }: OidcConfig,
  refreshToken: Secret,
  methods: unknown,
): { body: string; authorization: string | undefined } {
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: reveal(refreshToken),
  });
  // RFC 6749 requires client_secret_basic of every server, and it is the default when discovery lists no methods.
  const isBasic =
    clientSecret !== undefined &&
    (!Array.isArray(methods) || methods.includes("client_secret_basic"));
  if (isBasic) {
    const pair = [clientId, reveal(clientSecret)].map(encodeURIComponent).join(":");
    return {
      body: form.toString(),
      authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
    };
  }
  form.set("client_id", clientId);
  if (clientSecret) {
    form.set("client_secret", reveal(clientSecret));
  }
  return { body: form.toString(), authorization: undefined };
}

async function readJson(
  response: HttpResponse,
  issuer: string,
): Promise<Readonly<Record<string, unknown>>> {
  const what = `a response of the OIDC issuer ${issuer}`;
  const bytes = await collectBytes(response.body, maxIssuerBytes, undefined, what);
  try {
    const json = JSON.parse(Buffer.from(bytes).toString("utf8")) as unknown;
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    // The parser's error is dropped, since its message quotes the text.
    return {};
  }
}
