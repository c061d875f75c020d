import { Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import { ScriptedServer, type TestResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

const values: readonly unknown[] = [null, true, 0, -1.5, "", "x", [], [null], [1], [{}], {}];

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "a", resourceVersion: "1" } };
const list = {
  kind: "PodList",
  apiVersion: "v1",
  metadata: { resourceVersion: "1" },
  items: [pod],
};
const status = { kind: "Status", apiVersion: "v1", status: "Failure", code: 410 };

function* bodies(): Iterable<object | string> {
  for (const value of values) {
    for (const field of ["kind", "apiVersion", "metadata"]) {
      yield { ...pod, [field]: value };
      yield { ...list, [field]: value };
      yield { [field]: value, items: [{}] };
    }
    for (const field of ["name", "namespace", "uid", "resourceVersion", "managedFields"]) {
      yield { ...pod, metadata: { [field]: value } };
      yield { ...list, items: [{ metadata: { [field]: value } }] };
    }
    yield { ...list, items: value };
    yield { ...list, metadata: { continue: value, remainingItemCount: value } };
    yield JSON.stringify(value);
    for (const field of ["status", "message", "reason", "code", "details", "metadata"]) {
      yield { ...status, [field]: value };
    }
    yield { ...status, details: { causes: value, retryAfterSeconds: value, uid: value } };
    for (const type of ["ADDED", "MODIFIED", "BOOKMARK", "ERROR", value]) {
      yield `${JSON.stringify({ type, object: value })}\n`;
      yield `${JSON.stringify({ type, object: { ...pod, metadata: value } })}\n`;
      yield `${JSON.stringify({ type, object: { ...status, details: value, code: value } })}\n`;
    }
  }
}

type Pods = ReturnType<typeof podsOf>;

function podsOf(body: object | string, httpStatus: number) {
  // Later requests get a response that ends the loop which a hostile response could cause.
  let sent = 0;
  const response = (): TestResponse =>
    sent++ === 0
      ? { status: httpStatus, type: "application/json", body }
      : {
          status: 404,
          type: "application/json",
          body: { ...status, reason: "NotFound", code: 404 },
        };
  return new ScriptedServer(response).client().resource(Pod, "default");
}

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) {
    // Reads to the end or the error.
  }
}

const calls: Readonly<Record<string, (pods: Pods) => Promise<unknown>>> = {
  get: (pods) => pods.get("a"),
  list: (pods) => pods.list(),
  items: (pods) => readAll(pods.items()),
  watch: (pods) => readAll(pods.watch({ resourceVersion: "1" })),
  create: (pods) => pods.create({ metadata: { name: "a" }, spec: { containers: [] } }),
  delete: (pods) => pods.delete("a"),
};

describe("responses whose structural fields have every type", () => {
  it.each(Object.entries(calls))("%s returns a value or a KubeError", async (_, call) => {
    for (const httpStatus of [200, 409]) {
      for (const body of bodies()) {
        try {
          await call(podsOf(body, httpStatus));
        } catch (error) {
          if (!(error instanceof KubeError)) {
            expect.fail(`${(error as Error).stack} for ${JSON.stringify(body)}`);
          }
        }
      }
    }
  });
});
