import assert from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { defineResource } from "typekube";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  free,
  version,
} from "../support/custom-resources.js";

interface Tool extends KubeObject {
  spec?: { size: number };
}

const tools = customDefinition("Tool", [version(free)]);
const names = { group: customGroup, version: "v1", kind: "Tool" } as const;

/** Cases for descriptors that a program defines by names. */
export const definedResources: readonly ConformanceCase[] = [
  {
    id: "ZD1-plain",
    name: "a resource defined by its names works like a generated one",
    async run(context) {
      await customResource(context, tools);
      const client = context.client.resource(defineResource<Tool>(names), context.namespace);
      const created = await client.create({ metadata: { name: "a" }, spec: { size: 1 } });
      assert.equal(created.apiVersion, `${customGroup}/v1`);
      assert.equal((await client.get("a")).spec?.size, 1);
      assert.equal((await client.list()).items.length, 1);
    },
  },
  {
    id: "ZD1-absent",
    name: "a call for a defined resource that is not installed names the missing definition",
    async run({ client, namespace }) {
      const Absent = defineResource<Tool>({ ...names, group: "absent.example", kind: "Absent" });
      const refused = await failure(client.resource(Absent, namespace).list());
      assert.equal(refused.code, "NotFound");
      assert.equal(
        refused.hint,
        "this server does not serve Absent in absent.example/v1; it does not serve absent.example/v1; a custom kind needs its CustomResourceDefinition first",
      );
    },
  },
  {
    id: "ZD1-plural",
    name: "a defined resource with another plural than the server's is contradicted",
    async run(context) {
      await customResource(context, tools);
      const Wrong = defineResource<Tool>({ ...names, plural: "toolz" });
      const refused = await failure(context.client.resource(Wrong, context.namespace).list());
      assert.equal(refused.code, "InvalidArgument");
      assert.equal(
        refused.rawMessage,
        `the server serves Tool of ${customGroup}/v1 as tools, not as toolz`,
      );
    },
  },
  {
    id: "ZD1-scope",
    name: "a defined resource in another scope than the server's is contradicted",
    async run(context) {
      await customResource(context, tools);
      const Wrong = defineResource<Tool>({ ...names, scope: "Cluster" });
      const refused = await failure(
        context.client.resource(Wrong).create({ metadata: { name: "a" } }),
      );
      assert.equal(refused.code, "InvalidArgument");
      assert.equal(
        refused.rawMessage,
        `the server has Tool of ${customGroup}/v1 in the scope Namespaced, not Cluster`,
      );
    },
  },
];

async function failure(call: Promise<unknown>): Promise<KubeError> {
  return call.then(
    () => assert.fail("the call did not fail"),
    (error: unknown) => {
      assert.ok(error instanceof KubeError);
      return error;
    },
  );
}
