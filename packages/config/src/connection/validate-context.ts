import { ConfigProblem, configError } from "../errors/config-problem.js";
import { execProblems } from "../exec/exec-plugin-from-user.js";
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigUser,
} from "../kubeconfig/kubeconfig.js";
import { selectContext } from "../kubeconfig/select-context.js";

/** A validated context with its entries. */
export interface ChosenContext {
  readonly name: string;
  readonly context: KubeconfigContext;
  readonly cluster: KubeconfigEntry<KubeconfigCluster>;
  /** `undefined` for a context without a user, which connects anonymously. */
  readonly user: KubeconfigEntry<KubeconfigUser> | undefined;
}

/**
 * Finds the cluster and the user of a context and validates all three.
 *
 * @param isReplaced - `server` is true when the caller passes a server of its own.
 * @throws {KubeError} `Config`, with all problems.
 */
export function chooseContext(
  kubeconfig: Kubeconfig,
  wanted: string | undefined,
  isReplaced: { readonly server: boolean },
): ChosenContext {
  const selected = selectContext(kubeconfig, wanted);
  const { cluster, user } = selected;
  const { name, value: context } = selected.context;
  const problems: string[] = [];
  if (!cluster) {
    problems.push(`the cluster "${context.cluster ?? ""}" of context "${name}" does not exist`);
  } else {
    problems.push(...clusterProblems(cluster, isReplaced.server));
  }
  if (user) {
    problems.push(...userProblems(user));
  } else if (context.user) {
    problems.push(`the user "${context.user}" of context "${name}" does not exist`);
  }
  if (!cluster || problems.length > 0) {
    throw configError(problems.map((problem) => new ConfigProblem("Invalid", problem)));
  }
  return { name, context, cluster, user };
}

function* clusterProblems(
  { name, value }: KubeconfigEntry<KubeconfigCluster>,
  serverIsReplaced: boolean,
): Generator<string> {
  if (Object.keys(value).length === 0) {
    yield `the cluster "${name}" is empty`;
  } else if (!value.server && !serverIsReplaced) {
    yield `the cluster "${name}" has no server`;
  }
  if (value["certificate-authority"] && value["certificate-authority-data"]) {
    yield `the cluster "${name}" has both certificate-authority and certificate-authority-data`;
  }
}

function* userProblems({ name, value }: KubeconfigEntry<KubeconfigUser>): Generator<string> {
  for (const field of ["client-certificate", "client-key"] as const) {
    if (value[field] && value[`${field}-data`]) {
      yield `the user "${name}" has both ${field} and ${field}-data`;
    }
  }
  const hasCert = value["client-certificate"] || value["client-certificate-data"];
  const hasKey = value["client-key"] || value["client-key-data"];
  if (hasCert && !hasKey) {
    yield `the user "${name}" has a client certificate without a key`;
  }
  if ((value.token || value.tokenFile) && (value.username || value.password)) {
    yield `the user "${name}" has both a token and a user name with password`;
  }
  const impersonates =
    value["as-uid"] ||
    value["as-groups"]?.length ||
    Object.keys(value["as-user-extra"] ?? {}).length;
  if (impersonates && !value.as) {
    yield `the user "${name}" impersonates a uid, groups or extra without a user to impersonate`;
  }
  if (value.exec && value["auth-provider"]) {
    yield `the user "${name}" has both exec and auth-provider`;
  }
  if (value.exec) {
    yield* execProblems(name, value.exec);
  }
}
