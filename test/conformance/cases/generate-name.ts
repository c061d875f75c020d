import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap } from "../support/objects.js";

/** Names that the server makes. */
export const generateName: readonly ConformanceCase[] = [
  {
    id: "generate-name",
    name: "a generated name is the prefix and five characters",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const names = new Set<string>();
      for (let count = 0; count < 5; count++) {
        const { metadata } = await configMaps.create({ metadata: { generateName: "made-" } });
        assert.match(metadata.name, /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        assert.equal(metadata.generateName, "made-");
        names.add(metadata.name);
      }
      assert.equal(names.size, 5);
    },
  },
  {
    id: "generate-name-both",
    name: "a name that is given wins",
    async run({ client, namespace }) {
      const { metadata } = await client
        .resource(ConfigMap, namespace)
        .create({ metadata: { name: "given", generateName: "made-" } });
      assert.equal(metadata.name, "given");
      assert.equal(metadata.generateName, "made-");
    },
  },
  {
    id: "generate-name-long",
    name: "a long prefix is cut so that the name fits",
    async run({ client, namespace }) {
      const prefix = "x".repeat(100);
      const { metadata } = await client
        .resource(ConfigMap, namespace)
        .create({ metadata: { generateName: prefix } });
      assert.match(metadata.name, /^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    },
  },
  {
    id: "generate-name-dry-run",
    name: "a dry run generates a name and takes it from nobody",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(
        { metadata: { generateName: "made-" } },
        { dryRun: "All" },
      );
      assert.match(metadata.name, /^made-/);
      await configMaps.create(configMap(metadata.name));
    },
  },
];
