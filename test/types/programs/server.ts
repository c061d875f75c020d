import { connect, isForbidden, KubeError } from "typekube";
import { loadKubeconfig } from "typekube/config";

/** Uses connect, queries of the server, and errors. */
export async function server(): Promise<string> {
  await using client = await connect();
  const { gitVersion } = await client.version();
  const { allowed } = await client.can({ verb: "list", resource: "pods", namespace: "prod" });
  const { username } = await client.whoAmI();
  try {
    await client.with({ dryRun: "All", impersonate: { user: "jane" } }).discovery.served();
  } catch (error) {
    if (isForbidden(error)) {
      const code: "Forbidden" = error.code;
      return code;
    }
    return error instanceof KubeError ? error.code : typeof loadKubeconfig;
  }
  return `${gitVersion} ${allowed} ${username}`;
}
