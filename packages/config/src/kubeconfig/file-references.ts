import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { shownPath } from "@typekube/transport/internal";
import { isOnOtherComputer } from "../environment/other-computer.js";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { KubeconfigCluster, KubeconfigEntry, KubeconfigUser } from "./kubeconfig.js";

/** Files that a kubeconfig may reference: `all`, `none`, or those below the listed folders. */
export type FileReferences = "all" | "none" | readonly string[];

/** Returns true for a value that is a policy. An empty string is no folder: it would mean the working directory. */
export function isFileReferences(policy: unknown): policy is FileReferences {
  return (
    policy === "all" ||
    policy === "none" ||
    (Array.isArray(policy) && policy.every((folder) => typeof folder === "string" && folder !== ""))
  );
}

const clusterFields = ["certificate-authority"] as const;
const userFields = ["client-certificate", "client-key", "tokenFile"] as const;

/**
 * Checks the files that a cluster and a user reference, before any of them is read. Their contents are sent to the
 * server, so a stranger's kubeconfig could have any local file sent to the stranger's server.
 *
 * @throws {KubeError} `Config`, naming every file that is not allowed.
 */
export async function checkFileReferences(
  policy: FileReferences,
  cluster: KubeconfigEntry<KubeconfigCluster>,
  user: KubeconfigEntry<KubeconfigUser> | undefined,
): Promise<void> {
  if (policy === "all") {
    return;
  }
  const folders = await Promise.all((policy === "none" ? [] : policy).map(realOf));
  const problems: ConfigProblem[] = [];
  for (const { owner, field, path } of referencesOf(cluster, user)) {
    if (!(await isAllowed(path, folders))) {
      const text = `${field} of ${owner}: fileReferences does not allow the file ${shownPath(path)}`;
      problems.push(new ConfigProblem("Invalid", text));
    }
  }
  if (problems.length > 0) {
    throw configError(
      problems,
      'if you trust the kubeconfig, allow its folder: fileReferences: ["/path/of/the/folder"]',
    );
  }
}

function* referencesOf(
  cluster: KubeconfigEntry<KubeconfigCluster>,
  user: KubeconfigEntry<KubeconfigUser> | undefined,
): Generator<{ readonly owner: string; readonly field: string; readonly path: string }> {
  for (const field of clusterFields) {
    const path = cluster.value[field];
    if (path) {
      yield { owner: `the cluster "${cluster.name}"`, field, path };
    }
  }
  if (!user) {
    return;
  }
  const owner = `the user "${user.name}"`;
  for (const field of userFields) {
    const path = user.value[field];
    if (path) {
      yield { owner, field, path };
    }
  }
  const issuerAuthority = user.value["auth-provider"]?.config?.["idp-certificate-authority"];
  if (typeof issuerAuthority === "string" && issuerAuthority !== "") {
    yield { owner, field: "idp-certificate-authority", path: issuerAuthority };
  }
}

/**
 * Returns true for a file below one of the folders. A file on another computer is not accessed unless it is below a
 * folder: Windows would log the user in to that computer, whose owner can then try to crack the password. Exported for
 * tests.
 */
export async function isAllowed(
  path: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
  look: (path: string) => Promise<string> = realOf,
): Promise<boolean> {
  const isIn = (file: string) => folders.some((folder) => isBelow(folder, file));
  if (folders.length === 0 || (isOnOtherComputer(path, platform) && !isIn(resolve(path)))) {
    return false;
  }
  return isIn(await look(path));
}

/** Resolves symbolic links; for a file that does not exist, returns its absolute path. */
async function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}
