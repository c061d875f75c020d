import { type Client, type KubeError, manifestResults } from "typekube";

/** Uses whole manifests. */
export async function manifests(client: Client, yaml: string): Promise<string[]> {
  const applied = await client.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
    data: { k: "v" },
  });
  const value: string | undefined = applied.data?.["k"];
  const results = await client.applyAll(yaml, { fieldManager: "me" });
  const reported = await client.applyAll(yaml, { onFailure: "report" });
  const failures = reported.flatMap((one) => (one.outcome === "failed" ? [one.error] : []));
  const { text } = await client.diff(yaml);
  const { pruned } = await client.applyAndPrune(yaml, { applySet: { name: "shop" } });
  const deleted = await client.deleteAll(yaml, { goneTimeoutMs: 1_000 });
  return [
    value ?? "",
    text,
    ...results.map(({ object }) => object.metadata.name),
    ...failures.map((error: KubeError) => error.code),
    ...pruned.map(({ name }) => name),
    ...deleted.map(({ outcome }) => outcome),
    ...manifestResults(undefined).map(({ outcome }) => outcome),
  ];
}
