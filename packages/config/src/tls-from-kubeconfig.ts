import { Secret, type TlsOptions } from "@typekube/transport";
import { fileProblemOf, readConfigFile, shownPath } from "@typekube/transport/internal";
import { ConfigProblem, configError } from "./config-problem.js";
import type { ConnectionConfig } from "./connection-options.js";
import type { KubeconfigCluster, KubeconfigEntry, KubeconfigUser } from "./kubeconfig.js";

/** How a cluster is verified. */
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

/** The client certificate of a user, if there is one. A key without one is for nothing and not read, as by kubectl. */
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

/** The files that the material of both came from, to be followed while they are used. */
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

/** PEM from `<field>-data` or from the file in `<field>`. */
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

/** Buffer takes anything for base64 and skips what it does not know; a cut or wrapped key must not pass so. */
function decodeBase64(data: string, what: string): string {
  const text = data.replace(/\s+/g, "");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw configError([new ConfigProblem("Invalid", `${what} is not base64`)]);
  }
  return Buffer.from(text, "base64").toString("utf8");
}
