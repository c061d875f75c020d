import { inspect } from "node:util";
import { ConfigMap, Pod, Secret } from "@typekube/api/core/v1";
import { isNotFound } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { podPage, ScriptedServer, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "a" } };

describe("get and find", () => {
  it("a missing object is an error for get and undefined for find", async () => {
    const server = new ScriptedServer(
      statusResponse(404, "NotFound", { details: { name: "a", kind: "pods" } }),
    );
    const pods = server.client().resource(Pod, "prod");
    expect(isNotFound(await failure(pods.get("a")))).toBe(true);
    expect(await pods.find("a")).toBeUndefined();
  });

  it.each(["null", "[]", "5", '"a"', "true"])(
    "H12: rejects the body %s, which is not an object",
    async (body) => {
      const pods = new ScriptedServer({ type: "application/json", body }).client();
      for (const call of [
        () => pods.resource(Pod, "prod").get("a"),
        () => pods.resource(Pod, "prod").find("a"),
        () => pods.resource(Pod, "prod").metadata().get("a"),
        () => pods.resource(Pod, "prod").create({ metadata: { name: "a" } }),
      ]) {
        const error = await failure(call());
        expect(error).toMatchObject({ code: "Decode", request: { path: expect.any(String) } });
      }
    },
  );

  it.each([
    ["text", { status: 404, type: "text/plain", body: "404 page not found\n" }],
    ["a Status", statusResponse(404, "NotFound", { details: {} })],
    ["nothing", { status: 404, body: "" }],
  ])(
    "GRP2: a path that is not served, reported by %s, is an error for both",
    async (_, response) => {
      const pods = new ScriptedServer(response).client().resource(Pod, "prod");
      expect((await failure(pods.get("a"))).code).toBe("NotFound");
      expect((await failure(pods.find("a"))).code).toBe("NotFound");
    },
  );

  it.each([403, 500])("find fails like get for %d", async (status) => {
    const pods = new ScriptedServer({ status, body: "" }).client().resource(Pod, "prod");
    expect((await failure(pods.find("a"))).httpStatus).toBe(status);
  });
});

describe("interpretation of responses", () => {
  it.each([200, 201, 202])(
    "ALT8, H15: a response with the status %d is a success",
    async (status) => {
      const server = new ScriptedServer({ status, body: pod });
      expect(
        await server
          .client()
          .resource(Pod, "prod")
          .create({ metadata: { name: "a" } }),
      ).toEqual(pod);
    },
  );

  it("H14: a 2xx with a Failure Status is an error", async () => {
    const server = new ScriptedServer({ ...statusResponse(409, "Conflict"), status: 200 });
    const pods = server.client().resource(Pod, "prod");
    expect(await failure(pods.get("a"))).toMatchObject({
      code: "Conflict",
      request: { method: "GET" },
    });
    expect((await failure(pods.list())).code).toBe("Conflict");
  });

  it.each([
    [200, "application/json"],
    [201, "application/vnd.kubernetes.protobuf"],
    [202, "application/cbor"],
  ])("H8: the error for a %d with %s and an empty body names them", async (status, type) => {
    const pods = new ScriptedServer({ status, type, body: "" }).client().resource(Pod, "prod");
    const calls = [
      () => pods.get("a"),
      () => pods.list(),
      () => pods.create({ metadata: { name: "a" } }),
    ];
    for (const call of calls) {
      const error = await failure(call());
      expect(error).toMatchObject({ code: "Decode", httpStatus: status });
      expect(error.rawMessage).toBe(
        `the server responded with HTTP ${status}, ${type} and an empty body`,
      );
    }
  });

  it("TAB8: an unrequested table is an error that names the Table", async () => {
    const table = { kind: "Table", apiVersion: "meta.k8s.io/v1", columnDefinitions: [], rows: [] };
    const event = `${JSON.stringify({ type: "ADDED", object: table })}\n`;
    const server = new ScriptedServer(({ query }) =>
      "watch" in query ? { body: event } : { body: table },
    );
    const pods = server.client().resource(Pod, "prod");
    const metadata = pods.metadata();
    for (const call of [
      pods.list(),
      all(pods.items()),
      all(pods.watch()),
      pods.get("a"),
      metadata.list(),
      all(metadata.watch()),
      metadata.get("a"),
    ]) {
      const error = await failure(call);
      expect(error.code).toBe("Decode");
      expect(error.message).toMatch(/a Table/);
      expect(error.request?.path).toMatch(/^\/api\/v1\/namespaces\/prod\/pods/);
    }
    expect(server.bodiesEnded).toBe(7);
  });

  it("isDeleted distinguishes a finished delete from an object that is still held", async () => {
    const success = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
    const server = new ScriptedServer({ body: success }, { body: pod });
    const pods = server.client().resource(Pod, "prod");
    expect((await pods.delete("a")).type).toBe("deleted");
    expect(await pods.delete("a")).toMatchObject({ type: "deleted", object: { kind: "Pod" } });
  });

  it("CHK12, CHK13: returns the server's list, with kind and apiVersion on its items", async () => {
    const metadata = { continue: "t", remainingItemCount: 3 };
    const list = await new ScriptedServer(podPage(["a"], metadata))
      .client()
      .resource(Pod, "prod")
      .list({ limit: 1 });
    expect(list).toEqual({
      kind: "PodList",
      apiVersion: "v1",
      metadata: { resourceVersion: "10", ...metadata },
      items: [{ ...pod, metadata: { name: "a", namespace: "prod" } }],
    });
    expect(Object.keys(list)).toEqual(["kind", "apiVersion", "metadata", "items"]);
  });

  it("managedFields: false removes managedFields from lists and watches", async () => {
    const item = { ...pod, metadata: { name: "a", managedFields: [{}] } };
    const server = new ScriptedServer(
      { body: { kind: "PodList", apiVersion: "v1", metadata: {}, items: [item] } },
      { body: `${JSON.stringify({ type: "ADDED", object: item })}\n` },
    );
    const pods = server.client().resource(Pod, "prod");
    expect((await pods.list({ managedFields: false })).items[0]?.metadata).toEqual({ name: "a" });
    expect((await all(pods.watch({ managedFields: false })))[0]?.object.metadata).toEqual({
      name: "a",
    });
  });
});

describe("N31: every body is read to its end or cancelled", () => {
  it.each([200, 404, 500])(
    "a body is opened once and read to its end after a %d",
    async (status) => {
      const server = new ScriptedServer({ status, body: [Buffer.from("{"), Buffer.from("}")] });
      await server
        .client()
        .resource(Pod, "prod")
        .get("a")
        .catch(() => {});
      expect(server.bodiesOpened).toBe(1);
      expect(server.bodiesEnded).toBe(1);
    },
  );

  it("when a walk over items or a watch is stopped early", async () => {
    const page = Buffer.from(JSON.stringify(podPage(["a", "b"]).body));
    const event = Buffer.from(`${JSON.stringify({ type: "ADDED", object: pod })}\n`);
    const server = new ScriptedServer(
      { body: [page.subarray(0, -20), page.subarray(-20)] },
      { body: [event, event] },
    );
    const pods = server.client().resource(Pod, "prod");
    for await (const _ of pods.items()) {
      break;
    }
    for await (const _ of pods.watch()) {
      break;
    }
    expect(server.bodiesOpened).toBe(2);
    expect(server.bodiesEnded).toBe(2);
  });
});

describe("warnings", () => {
  const warned = {
    headers: { warning: '299 - "old \\"api\\"", 299 - "another", 199 - "no"' },
    body: pod,
  };

  it("go to the handler of the call, otherwise to the client's", async () => {
    const server = new ScriptedServer(warned);
    const received: string[] = [];
    const client = server
      .client()
      .with({ onWarning: (text) => void received.push(`client: ${text}`) });
    await client.resource(Pod, "prod").get("a");
    await client
      .resource(Pod, "prod")
      .get("a", { onWarning: (text) => void received.push(`call: ${text}`) });
    await server.client().resource(Pod, "prod").get("a");
    expect(received).toEqual([
      'client: old "api"',
      "client: another",
      'call: old "api"',
      "call: another",
    ]);
  });

  it("are reported for error responses too", async () => {
    const received: string[] = [];
    const server = new ScriptedServer({
      ...statusResponse(404, "NotFound"),
      headers: warned.headers,
    });
    await failure(
      server
        .client()
        .resource(Pod, "prod")
        .get("a", { onWarning: (text) => void received.push(text) }),
    );
    expect(received).toEqual(['old "api"', "another"]);
  });
});

describe("a warning handler that throws", () => {
  it.each([200, 404])("fails the call with its error and ends the body of a %d", async (status) => {
    const refusal = new Error("warnings are failures here");
    const server = new ScriptedServer({ status, headers: { warning: '299 - "old"' }, body: pod });
    let isEnded = false;
    const client = server.client({
      send: async (request) => {
        const response = await server.send(request);
        const source = response.body[Symbol.asyncIterator]();
        const body = {
          [Symbol.asyncIterator]: () => ({
            next: () => source.next(),
            return: async () => {
              isEnded = true;
              return { done: true as const, value: undefined };
            },
          }),
        };
        return { ...response, body };
      },
    });
    const pods = client.resource(Pod, "prod");
    const onWarning = () => {
      throw refusal;
    };
    await expect(pods.get("a", { onWarning })).rejects.toBe(refusal);
    expect(isEnded).toBe(true);
  });
});

describe("N34: contents of an error", () => {
  it("shows the method and the path, but no query and no body", async () => {
    const responses = [
      statusResponse(403, "Forbidden"),
      { status: 500, type: "text/plain", body: "oops" },
      { body: '{"kind":"SecretList","items":[{"data":{"a":"hunter2"]' },
      { body: '{"kind":"Secret" hunter2' },
    ];
    for (const response of responses) {
      const secrets = new ScriptedServer(response).client().resource(Secret, "prod");
      for (const call of [
        secrets.list({ fieldSelector: "metadata.name=hunter2", limit: 5 }),
        secrets.create(
          { metadata: { name: "a" }, stringData: { a: "hunter2" } },
          { fieldManager: "hunter2" },
        ),
      ]) {
        const error = await failure(call);
        expect(error.request?.path).toBe("/api/v1/namespaces/prod/secrets");
        expect(error.message).toMatch(/\((GET|POST) \/api\/v1\/namespaces\/prod\/secrets\)/);
        expect(inspect(error)).not.toContain("hunter2");
      }
    }
  });

  it("keeps the hint about the limit to raise", async () => {
    const server = new ScriptedServer(podPage(["a".repeat(500)]));
    const client = server.client().with({ limits: { maxObjectBytes: 100, maxBodyBytes: 100 } });
    const list = await failure(client.resource(Pod, "prod").list());
    expect(list.message).toContain(
      "(GET /api/v1/namespaces/prod/pods): raise limits.maxObjectBytes",
    );
    const one = await failure(client.resource(ConfigMap, "prod").get("a"));
    expect(one.message).toContain(
      "(GET /api/v1/namespaces/prod/configmaps/a): raise limits.maxBodyBytes",
    );
  });
});
