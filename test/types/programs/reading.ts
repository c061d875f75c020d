import { type Client, isTable, type Live } from "typekube";
import { Pod } from "typekube/api/core/v1";

/** Uses get, list, items, watch and tables. */
export async function reading(client: Client): Promise<string[]> {
  const pods = client.resource(Pod, "prod");
  const one: Live<Pod> = await pods.get("web-0", { consistency: "any" });
  const perhaps: Live<Pod> | undefined = await pods.find("web-1");
  const { items, metadata } = await pods.list({ limit: 10, labelSelector: { app: "web" } });
  const names = [one.metadata.name, ...items.map((pod) => pod.metadata.name)];
  for await (const pod of pods.items({ pageSize: 100 })) {
    names.push(pod.spec?.nodeName ?? "");
  }
  for await (const event of pods.watch({ resourceVersion: metadata.resourceVersion })) {
    if (event.type === "BOOKMARK") {
      break;
    }
    names.push(event.object.status?.phase ?? "");
  }
  const table = await pods.table();
  if (isTable(table)) {
    names.push(...table.columnDefinitions.map((column) => column.name));
  }
  const partial = await pods.metadata().list();
  return [...names, perhaps?.metadata.uid ?? "", ...partial.items.map((one) => one.metadata.name)];
}
