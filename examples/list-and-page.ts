// List a collection: one page, all pages as a stream of objects, and the progress of a paged list.
import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const configMaps = client.resource(ConfigMap, "default");
for (let i = 0; i < 7; i++) {
  const labels = { half: i < 3 ? "first" : "second" };
  await configMaps.create({ metadata: { name: `cm-${i}`, labels } });
}

const page = await configMaps.list({ limit: 2 });
console.log(page.items.length, "of", 2 + (page.metadata.remainingItemCount ?? 0));

const names: string[] = [];
const walk = configMaps.items({
  pageSize: 3,
  onProgress: ({ items, remaining }) => console.log(`${items} read, ${remaining} to come`),
});
for await (const { metadata } of walk) {
  names.push(metadata.name); // holds one page in memory, whatever the collection's size
}
console.log(names.join(" "));

const first = await configMaps.list({ labelSelector: { half: "first" } });
console.log(first.items.map(({ metadata }) => metadata.name).join(" "));

// Prints:
// 2 of 7
// 3 read, 4 to come
// 6 read, 1 to come
// 7 read, 0 to come
// cm-0 cm-1 cm-2 cm-3 cm-4 cm-5 cm-6
// cm-0 cm-1 cm-2
