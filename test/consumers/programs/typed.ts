import { conditions, connect, type KubeError } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { loadKubeconfig } from "typekube/config";
import { drain } from "typekube/lifecycle";

export async function phaseOf(name: string): Promise<string | undefined> {
  const client = await connect({ kubeconfig: await loadKubeconfig() });
  const pod: Pod | undefined = await client.resource(Pod, "default").find(name);
  await client.resource(Pod, "default").waitFor(name, conditions.ready(), { timeoutMs: 1000 });
  await drain(client, "node-1", { force: true });
  return pod?.status?.phase;
}

export type Code = KubeError["code"];
