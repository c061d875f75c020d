import { available, type Client, type Informer, type Live } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { Pod } from "typekube/api/core/v1";

/** Informers, following and waiting. */
export async function following(client: Client): Promise<(string | undefined)[]> {
  await using informer = client.informer(Pod, {
    indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] },
  });
  await informer.synced();
  const onNode: readonly Live<Pod>[] = informer.by.node("node-1");
  const plain: Informer<Pod> = client.informer(Pod);
  await plain.close();
  for await (const event of client.follow(Pod)) {
    if (event.type === "synced") {
      break;
    }
  }
  const web = await client.waitFor(Deployment, "web", available(), { namespace: "prod" });
  const uid = await client.resource(Deployment, "prod").waitFor("web", available());
  return [onNode[0]?.metadata.name, web?.metadata.name, uid?.metadata.uid];
}
