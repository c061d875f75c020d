import type { Clock } from "@typekube/core/internal";
import { reveal, Secret } from "@typekube/transport";
import { fileProblemOf, readConfigFile, shownPath } from "@typekube/transport/internal";
import { ConfigProblem, configError } from "../config-problem.js";
import type { Environment } from "../load-kubeconfig.js";

/** The auth-provider `oidc` of a user. */
export interface OidcConfig {
  /** Its URL; the discovery document is below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly idToken: Secret | undefined;
  readonly refreshToken: Secret | undefined;
  /** PEM file of the issuer's authority. Default: Node's authorities. */
  readonly caFile: string | undefined;
  /** The same as PEM in base64; counts before the file. */
  readonly caData: string | undefined;
}

/** What is needed to go to the issuer. */
export interface OidcOptions {
  readonly clock: Clock;
  /** What names the proxy to the issuer. */
  readonly env: Environment;
}

/**
 * Reads the stanza.
 *
 * @throws {KubeError} `Config` with every field that is missing or wrong.
 */
export function oidcConfigOf(
  user: string,
  config: Readonly<Record<string, unknown>> = {},
): OidcConfig {
  const problems: string[] = [];
  const text = (field: string): string | undefined => {
    const value = config[field];
    if (value !== undefined && value !== null && typeof value !== "string") {
      problems.push(`${field} is no text`);
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
    problems.push("idp-issuer-url is no https URL");
  } else if (new URL(issuer).username !== "" || new URL(issuer).password !== "") {
    // Errors name the issuer, and nobody would be shown them.
    problems.push("idp-issuer-url holds a user or a password");
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

/** Everything that tells one source of OIDC tokens from another. */
export function oidcSourceParts(config: OidcConfig): unknown {
  const { clientSecret, idToken, refreshToken, ...plain } = config;
  const secrets = [clientSecret, idToken, refreshToken];
  return ["oidc", plain, secrets.map((secret) => (secret ? reveal(secret) : null))];
}

/** The authority of the issuer, read when it is needed. */
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
