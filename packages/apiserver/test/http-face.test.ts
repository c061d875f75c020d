import { codecs } from "@typekube/core/internal";
import {
  call,
  configMaps,
  createConfigMaps,
  type Json,
  pods,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

describe("paths", () => {
  test.each([
    ["GET", "/api/v1/foos", 404, "the server could not find the requested resource"],
    [
      "GET",
      "/apis/apps/v1beta1/deployments",
      404,
      "the server could not find the requested resource",
    ],
    ["GET", `${configMaps}/a/status`, 404, "the server could not find the requested resource"],
    [
      "POST",
      "/api/v1/configmaps",
      405,
      "the server does not allow this method on the requested resource",
    ],
    ["OPTIONS", configMaps, 405, "the server does not allow this method on the requested resource"],
    [
      "GET",
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      405,
      "the server does not allow this method on the requested resource",
    ],
    ["GET", `${pods}/status`, 404, 'pods "status" not found'],
  ] as const)(
    "GRP13, GRP22, GRP28: the response to %s %s is the error %d",
    async (method, path, status, message) => {
      await using api = await startApiServer();
      const response = await call(api, method, path);
      expect([response.status, response.body.message]).toEqual([status, message]);
    },
  );

  test("a path of an unknown group is a plain 404 page", async () => {
    await using api = await startApiServer();
    const { status, text, headers } = await call(api, "GET", "/apis/foo/v1/bars");
    expect([status, text, headers["content-type"]]).toEqual([
      404,
      "404 page not found\n",
      "text/plain; charset=utf-8",
    ]);
  });

  test("GRP21: a missing namespace lists nothing, and all namespaces list everything", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    expect((await call(api, "GET", "/api/v1/namespaces/nope/configmaps")).body.items).toEqual([]);
    const { items } = (await call(api, "GET", "/api/v1/configmaps")).body;
    const namespaces = items.map(({ metadata }: Json) => metadata.namespace);
    expect(namespaces).toEqual(["default", "kube-system", "kube-system"]);
  });
});

describe("discovery", () => {
  test("GRP3: serves no alpha or beta version without runtimeConfig", async () => {
    await using api = await startApiServer();
    const { body } = await call(api, "GET", "/apis");
    const versions = body.groups.flatMap((group: Json) =>
      group.versions.map(({ version }: Json) => version),
    );
    expect(versions.filter((version: string) => !/^v\d+$/.test(version))).toEqual([]);
    expect(
      body.groups.find((group: Json) => group.name === "autoscaling").preferredVersion.version,
    ).toBe("v2");
  });

  test("GRP9: runtimeConfig switches versions and single resources", async () => {
    await using api = await startApiServer({
      runtimeConfig: "batch/v1=false,certificates.k8s.io/v1beta1,apps/v1/deployments=false",
    });
    expect((await call(api, "GET", "/apis/batch/v1/jobs")).status).toBe(404);
    expect((await call(api, "GET", "/apis/certificates.k8s.io/v1beta1")).status).toBe(200);
    expect((await call(api, "GET", "/apis/apps/v1/deployments")).status).toBe(404);
    expect((await call(api, "GET", "/apis/apps/v1/daemonsets")).status).toBe(200);
  });

  test("GRP12: a resource list contains verbs, short names and subresources", async () => {
    await using api = await startApiServer();
    const { body } = await call(api, "GET", "/apis/apps/v1");
    expect(body.resources.find((resource: Json) => resource.name === "deployments")).toEqual({
      name: "deployments",
      singularName: "deployment",
      namespaced: true,
      kind: "Deployment",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      shortNames: ["deploy"],
      categories: ["all"],
      storageVersionHash: "8aSe+NMegvE=",
    });
    expect(
      body.resources.find((resource: Json) => resource.name === "deployments/scale"),
    ).toMatchObject({ group: "autoscaling", version: "v1", kind: "Scale" });
  });

  test("ES19: aggregated discovery has an ETag, and returns 304 for a matching one", async () => {
    await using api = await startApiServer();
    const accept =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    const first = await call(api, "GET", "/apis", undefined, { accept });
    expect(first.body.kind).toBe("APIGroupDiscoveryList");
    expect(first.headers).toMatchObject({ vary: "Accept", "cache-control": "public" });
    const etag = first.headers["etag"] ?? "";
    const again = await call(api, "GET", "/apis", undefined, { accept, "if-none-match": etag });
    expect([again.status, again.text]).toEqual([304, ""]);
    const core = await call(api, "GET", "/api", undefined, { accept });
    expect(
      core.body.items[0].versions[0].resources.some(
        (resource: Json) => resource.resource === "pods",
      ),
    ).toBe(true);
  });

  test("ES19: reports the version of the release and answers health checks", async () => {
    await using api = await startApiServer({ version: "1.36" });
    expect((await call(api, "GET", "/version")).body).toMatchObject({
      major: "1",
      minor: "36",
      gitVersion: "v1.36.1",
    });
    expect((await call(api, "GET", "/healthz")).text).toBe("ok");
    expect((await call(api, "GET", "/readyz?verbose")).text).toMatch(
      /^\[\+\]ping ok\n(.*\n)*readyz check passed\n$/,
    );
  });
});

describe("encodings", () => {
  test.each([
    ["application/json;q=0.1, application/yaml;q=0.9", "application/yaml"],
    ["*/*", "application/json"],
    [
      "application/vnd.kubernetes.protobuf, application/json",
      "application/vnd.kubernetes.protobuf",
    ],
  ])("ALT25: the response to Accept %s is %s", async (accept, contentType) => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    expect(
      (await call(api, "GET", `${configMaps}/a`, undefined, { accept })).headers["content-type"],
    ).toBe(contentType);
  });

  test.each(["text/html", "application/*", "application/json;as=Foo;g=meta.k8s.io;v=v1"])(
    "ALT25: a request that accepts only %s is 406",
    async (accept) => {
      await using api = await startApiServer();
      const { status, body } = await call(api, "GET", configMaps, undefined, { accept });
      expect([status, body.reason]).toEqual([406, "NotAcceptable"]);
    },
  );

  test("ALT6: an unsupported Content-Type is 415 with the accepted types, a missing one means JSON", async () => {
    await using api = await startApiServer();
    const object = { metadata: { name: "a" } };
    const { status, body } = await call(api, "POST", configMaps, object, {
      "content-type": "text/plain",
    });
    expect([status, body.message]).toEqual([
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ]);
    const body2 = Buffer.from(JSON.stringify(object));
    expect(
      (await api.send({ method: "POST", path: configMaps, headers: {}, body: body2, mode: "call" }))
        .status,
    ).toBe(201);
  });

  test("ALT1, ALT7: writes and reads the same pod in JSON and protobuf, as object, list and watch", async () => {
    await using api = await startApiServer();
    const protobuf = "application/vnd.kubernetes.protobuf";
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const created = await call(api, "POST", pods, await codecs.protobuf.encode(pod), {
      "content-type": protobuf,
    });
    expect(created.status).toBe(201);
    const one = await api.send({
      method: "GET",
      path: `${pods}/p`,
      headers: { accept: protobuf },
      mode: "call",
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of one.body) {
      chunks.push(chunk);
    }
    expect(await codecs.protobuf.decode(Buffer.concat(chunks))).toMatchObject({
      metadata: { name: "p", uid: created.body.metadata.uid },
      spec: pod.spec,
    });
    const listed = await api.send({
      method: "GET",
      path: pods,
      headers: { accept: protobuf },
      mode: "call",
    });
    const names: unknown[] = [];
    for await (const part of codecs.protobuf.decodeList(listed.body)) {
      names.push(...part.items.map(({ metadata }) => metadata?.name));
    }
    expect(names).toEqual(["p"]);
    const watched = await api.send({
      method: "GET",
      path: `${pods}?watch=1&timeoutSeconds=1`,
      headers: { accept: protobuf },
      mode: "stream",
    });
    expect(watched.headers["content-type"]).toBe(
      "application/vnd.kubernetes.protobuf;stream=watch",
    );
    for await (const events of codecs.protobuf.decodeWatch(watched.body)) {
      expect(events[0]).toMatchObject({
        type: "ADDED",
        object: { kind: "Pod", metadata: { name: "p" } },
      });
      break;
    }
    expect(api.openWatches).toBe(0);
  });

  test("ALT9, ALT10: reads YAML bodies as YAML 1.1", async () => {
    await using api = await startApiServer();
    const yaml = { "content-type": "application/yaml" };
    const { body } = await call(
      api,
      "POST",
      configMaps,
      "metadata: {name: a}\nimmutable: yes\ndata: {x: '010'}\n",
      yaml,
    );
    expect([body.immutable, body.data]).toEqual([true, { x: "010" }]);
  });

  test("ALT22, ALT23: returns PartialObjectMetadata for objects and PartialObjectMetadataList for lists", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const accept = (as: string) => ({ accept: `application/json;as=${as};g=meta.k8s.io;v=v1` });
    const one = await call(
      api,
      "GET",
      `${configMaps}/a`,
      undefined,
      accept("PartialObjectMetadata"),
    );
    expect([one.body.kind, one.body.data]).toEqual(["PartialObjectMetadata", undefined]);
    const many = await call(api, "GET", configMaps, undefined, accept("PartialObjectMetadataList"));
    expect(many.body.items[0]).toMatchObject({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: { name: "a" },
    });
    const wrong = await call(api, "GET", configMaps, undefined, accept("PartialObjectMetadata"));
    expect(wrong.body.message).toBe(
      "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
    );
  });

  test("ES18: a request body over 3 MiB is 413", async () => {
    await using api = await startApiServer();
    const { status, body } = await call(
      api,
      "POST",
      configMaps,
      Buffer.alloc(3 * 1024 * 1024 + 1, " "),
    );
    expect([status, body.reason]).toEqual([413, "RequestEntityTooLarge"]);
  });

  test("CHK12, CHK13: a list has its own kind, its items have none", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const { body } = await call(api, "GET", configMaps);
    expect(body.kind).toBe("ConfigMapList");
    expect(body.items[0]).not.toHaveProperty("kind");
  });
});
