import assert from "node:assert/strict";
import { Endpoints, Node, Pod, Service } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import type { Client } from "typekube";
import type { ConformanceCase } from "../conformance-case.js";

/** Refusals of the subresource `proxy`. What a backend responds can be shown on the embedded server only. */
export const proxies: readonly ConformanceCase[] = [
  {
    id: "XX2-absent",
    name: "a proxy to a pod, a Service or a node that does not exist is a 404",
    async run({ client, namespace }) {
      assert.deepEqual(await refusal(client.proxy(Pod, "web", { namespace }).fetch("/")), [
        404,
        'pods "web" not found',
      ]);
      assert.deepEqual(
        await refusal(client.proxy(Service, "web", { namespace, port: 80 }).fetch("/")),
        [404, 'services "web" not found'],
      );
      assert.deepEqual(await refusal(client.proxy(Node, "no-such-node").fetch("/")), [
        404,
        'nodes "no-such-node" not found',
      ]);
    },
  },
  {
    id: "XX2-address",
    name: "a pod without an address has no proxy",
    async run({ client, namespace }) {
      const containers = [{ name: "main", image: "x" }];
      await client
        .resource(Pod, namespace)
        .create({ metadata: { name: "web" }, spec: { containers } });
      const fetched = client.proxy(Pod, "web", { namespace, port: 80 }).fetch("/");
      assert.deepEqual(await refusal(fetched), [400, "address not allowed"]);
    },
  },
  {
    id: "XX2-endpoints",
    name: "a Service without endpoints, or without the port, is unavailable",
    async run({ client, namespace }) {
      await createService(client, namespace);
      const through = (port: number | string) =>
        refusal(client.proxy(Service, "web", { namespace, port }).fetch("/"));
      assert.deepEqual(await through(81), [503, 'no service port 81 found for service "web"']);
      const none = [503, 'no endpoints available for service "web"'];
      assert.deepEqual(await through(80), none);
      await client.resource(Endpoints, namespace).create({ metadata: { name: "web" } });
      assert.deepEqual(await through(80), none);
      assert.deepEqual(await through("http"), none);
      assert.deepEqual(await through("other"), none);
    },
  },
  {
    id: "XX1-names",
    name: "a name with an unknown scheme or too many parts is a 400",
    async run({ client, namespace }) {
      const pathOf = (plural: string, name: string) =>
        `/api/v1/namespaces/${namespace}/${plural}/${name}/proxy/`;
      const ask = (path: string) => refusal(client.raw({ path }));
      assert.deepEqual(await ask(pathOf("pods", "a:b:c:d")), [
        400,
        'invalid pod request "a:b:c:d"',
      ]);
      assert.deepEqual(await ask(pathOf("services", "ftp:web:80")), [
        400,
        'invalid service request "ftp:web:80"',
      ]);
      assert.deepEqual(await ask(pathOf("services", ":80")), [
        400,
        'invalid service request ":80"',
      ]);
      assert.deepEqual(await ask("/api/v1/nodes/a:b:c:d/proxy/"), [
        400,
        'invalid node request "a:b:c:d"',
      ]);
    },
  },
  {
    id: "XX1-rights",
    name: "each method of a proxied request has the verb of its API call",
    needs: ["users"],
    async run({ namespace, clientOf }) {
      const viewer = await clientOf("viewer");
      const verbs = {
        GET: "get",
        HEAD: "get",
        POST: "create",
        PUT: "update",
        PATCH: "patch",
        DELETE: "delete",
      };
      const { fetch } = viewer.proxy(Service, "web", { namespace, port: 80 });
      for (const [method, verb] of Object.entries(verbs)) {
        const response = await fetch("/", { method }).catch((error: unknown) => error);
        if (method === "HEAD") {
          // The Status is in the body, which HEAD does not have.
          assert.equal((response as Response).status, 403);
        } else {
          assert.ok(response instanceof KubeError && response.code === "Forbidden");
          assert.ok(response.rawMessage.includes(`cannot ${verb} resource "services/proxy"`));
        }
      }
    },
  },
];

async function createService(client: Client, namespace: string): Promise<void> {
  await client.resource(Service, namespace).create({
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80 }] },
  });
}

async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof KubeError, `expected an error, not ${JSON.stringify(error)}`);
  return [error.httpStatus, error.rawMessage];
}
