import { Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { createInformer, type InformerOptions } from "@typekube/informer";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";

const names = ["a", "b", "c", "d"];

type Options = Pick<InformerOptions<Pod>, "encoding" | "shareEqual" | "transform">;

async function cachedPods(options: Options) {
  await using api = await startApiServer();
  await using client = await connect({ transport: api });
  for (const name of names) {
    await client.resource(Pod, "default").create({
      metadata: { name },
      spec: {
        containers: [{ name: "main", image: `example.com/${name}` }],
        tolerations: [{ key: `shared-by-${JSON.stringify(options).length}`, operator: "Exists" }],
      },
    });
  }
  await using informer = createInformer(client, Pod, options);
  await informer.synced();
  return names.map((name) => informer.get(`default/${name}`));
}

describe("equal parts of pods", () => {
  it.each(["protobuf", "json"] as const)(
    "are one frozen object in the cache, in %s",
    async (encoding) => {
      const [, , third, fourth] = await cachedPods({ encoding });
      expect(third?.spec?.tolerations?.[0]).toBe(fourth?.spec?.tolerations?.[0]);
      expect(Object.isFrozen(third?.spec?.tolerations?.[0])).toBe(true);
      expect(third?.spec?.containers[0]?.image).toBe("example.com/c");
    },
  );

  it.each([
    ["a transform may want to change it", { transform: (pod) => pod }],
    ["an option says so", { shareEqual: false }],
  ] as [string, Options][])("are separate objects where %s", async (_, options) => {
    const [, , third, fourth] = await cachedPods(options);
    expect(third?.spec?.tolerations?.[0]).toEqual(fourth?.spec?.tolerations?.[0]);
    expect(third?.spec?.tolerations?.[0]).not.toBe(fourth?.spec?.tolerations?.[0]);
  });
});
