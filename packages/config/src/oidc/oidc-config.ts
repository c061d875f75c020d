import type { Clock } from "@typekube/core/internal";
import { reveal, Secret } from "@typekube/transport";
import { fileProblemOf, readConfigFile, shownPath } from "@typekube/transport/internal";
import type { Environment } from "../environment/environment.js";
import { ConfigProblem, configError } from "../errors/config-problem.js";

/** Settings of a user's auth-provider `oidc`. */
export interface OidcConfig {
  /** URL of the issuer; the discovery document is located below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly idToken: Secret | undefined;
  readonly refreshToken: Secret | undefined;
  /** PEM file with the issuer's certificate authority. Default: Node's authorities. */
  readonly caFile: string | undefined;
  /** The same authority as base64 PEM; takes precedence over the file. */
  readonly caData: string | undefined;
}

/** Dependencies for requests to the issuer. */
export interface OidcOptions {
  readonly clock: Clock;
  /** Environment that names the proxy to the issuer. */
  readonly env: Environment;
}

/**
 * Validates the configuration of an auth-provider `oidc`.
 *
 * @throws {KubeError} `Config`, naming every field that is missing or wrong.
 */
export function oidcConfigOf(
  user: string,
  config: Readonly<Record<string, unknown>> = {},
): OidcConfig {
  const problems: string[] = [];
  const text = (field: string): string | undefined => {
    const value = config[field];
    if (value !== undefined && value !== null && typeof value !== "string") {
      problems.push(`${field} is not a string`);
    }
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const secret = (field: string): Secret | undefined => {
    const value = text(field);
    return value === undefined ? undefined : new Secret(value);
  };
  const issuer = text("idp-issuer-url") ?? "";
  const clientId = text("client-id") ?? "";
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== "https:") {
    problems.push("idp-issuer-url is not an https URL");
  } else if (new URL(issuer).username !== "" || new URL(issuer).password !== "") {
    // Errors contain the issuer's URL and must not reveal a password.
    problems.push("idp-issuer-url contains a user or a password");
  }
  if (clientId === "") {
    problems.push("client-id is missing");
  }
  const result: OidcConfig = {
    issuer: issuer.replace(/\/+$/, ""),
    clientId,
    clientSecret: secret("client-secret"),
    idToken: secret("id-token"),
    refreshToken: secret("refresh-token"),
    caFile: text("idp-certificate-authority"),
    caData: text("idp-certificate-authority-data"),
  };
  if (problems.length > 0) {
    throw configError(
      problems.map(
        (problem) =>
          new ConfigProblem("Invalid", `the auth-provider oidc of the user "${user}": ${problem}`),
      ),
    );
  }
  return result;
}

/** Returns the values that identify a source of OIDC tokens: two sources with equal values can share them. */
export function oidcSourceParts(config: OidcConfig): unknown {
  const { clientSecret, idToken, refreshToken, ...plain } = config;
  const secrets = [clientSecret, idToken, refreshToken];
  return ["oidc", plain, secrets.map((secret) => (secret ? reveal(secret) : null))];
}

/** Reads the issuer's certificate authority when it is needed. */
export async function oidcCa({ caData, caFile }: OidcConfig): Promise<string | undefined> {
  if (caData !== undefined) {
    return Buffer.from(caData, "base64").toString("utf8");
  }
  try {
    return caFile === undefined ? undefined : await readConfigFile(caFile);
  } catch (error) {
    const text = `the file ${shownPath(caFile ?? "")} of idp-certificate-authority cannot be read (${fileProblemOf(error)})`;
    throw configError([new ConfigProblem("Invalid", text)]);
  }
}
