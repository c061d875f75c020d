import { Secret, type TlsOptions } from "@typekube/transport";
import { fileProblemOf, readConfigFile, shownPath } from "@typekube/transport/internal";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type {
  KubeconfigCluster,
  KubeconfigEntry,
  KubeconfigUser,
} from "../kubeconfig/kubeconfig.js";
import type { ConnectionConfig } from "./connection-options.js";

/** Returns the TLS options that verify a cluster. */
export async function tlsFromCluster(
  entry: KubeconfigEntry<KubeconfigCluster>,
): Promise<TlsOptions> {
  const { value } = entry;
  const ca = await readPem(entry, "certificate-authority");
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(value["tls-server-name"] ? { serverName: value["tls-server-name"] } : {}),
    ...(value["insecure-skip-tls-verify"] ? { insecureSkipVerify: true } : {}),
  };
}

/**
 * Returns the client certificate of a user, if there is one. A key without a certificate is useless and not read, as in
 * kubectl.
 */
export async function tlsFromUser(entry: KubeconfigEntry<KubeconfigUser>): Promise<TlsOptions> {
  const { value } = entry;
  if (!value["client-certificate"] && !value["client-certificate-data"]) {
    return {};
  }
  const [cert, key] = await Promise.all([
    readPem(entry, "client-certificate"),
    readPem(entry, "client-key"),
  ]);
  return cert === undefined || key === undefined ? {} : { cert, key: new Secret(key) };
}

/** Returns the files that the TLS material of both was read from, so that changes can be followed. */
export function tlsFilesOf(
  cluster: KubeconfigEntry<KubeconfigCluster>,
  user: KubeconfigEntry<KubeconfigUser> | undefined,
): NonNullable<ConnectionConfig["tlsFiles"]> {
  const ca = pathOf(cluster.value, "certificate-authority");
  const cert = user && pathOf(user.value, "client-certificate");
  const key = user && pathOf(user.value, "client-key");
  return { ...(ca ? { ca } : {}), ...(cert && key ? { cert, key } : {}) };
}

function pathOf(value: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const path = value[field];
  return typeof path === "string" && path !== "" && !value[`${field}-data`] ? path : undefined;
}

/** Reads PEM from `<field>-data` or from the file in `<field>`. */
async function readPem(
  { name, value }: KubeconfigEntry<Readonly<Record<string, unknown>>>,
  field: string,
): Promise<string | undefined> {
  const data = value[`${field}-data`];
  if (typeof data === "string" && data !== "") {
    return decodeBase64(data, `${field}-data of "${name}"`);
  }
  const path = value[field];
  if (typeof path !== "string" || path === "") {
    return undefined;
  }
  try {
    return await readConfigFile(path);
  } catch (error) {
    const text = `${field} of "${name}": the file ${shownPath(path)} cannot be read (${fileProblemOf(error)})`;
    throw configError([new ConfigProblem("Invalid", text)]);
  }
}

/** Decodes base64 strictly: Buffer accepts anything and skips unknown characters, but a truncated key must not pass. */
function decodeBase64(data: string, what: string): string {
  const text = data.replace(/\s+/g, "");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw configError([new ConfigProblem("Invalid", `${what} is not base64`)]);
  }
  return Buffer.from(text, "base64").toString("utf8");
}
