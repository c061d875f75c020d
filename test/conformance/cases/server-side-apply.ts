import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Service } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";
import { widgetsIn } from "../support/widgets.js";

const applyYaml = "application/apply-patch+yaml";

/** Cases for the result of server-side apply. Ownership is covered in field-ownership.ts. */
export const serverSideApply: readonly ConformanceCase[] = [
  {
    id: "SSA7",
    name: "apply creates a missing object (201) and merges into an existing one (200)",
    async run(context) {
      const request = (data: object) => ({
        method: "PATCH" as const,
        path: `/api/v1/namespaces/${context.namespace}/configmaps/a?fieldManager=m1`,
        contentType: applyYaml,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data },
      });
      assert.equal((await rawRequest(context, request({ k: "1" }))).status, 201);
      assert.equal((await rawRequest(context, request({ k: "2" }))).status, 200);
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      assert.deepEqual((await configMaps.get("a")).data, { k: "2" });
      const apply = async (k: string, dryRun?: "All") => {
        const options = { fieldManager: "m1", dryRun };
        const { type, object } = await configMaps.applyWithResult(configMap("b", { k }), options);
        return [type, object.data];
      };
      assert.deepEqual(await apply("1", "All"), ["created", { k: "1" }]);
      assert.deepEqual(await apply("1"), ["created", { k: "1" }]);
      assert.deepEqual(await apply("2", "All"), ["changed", { k: "2" }]);
      assert.deepEqual(await apply("1", "All"), ["unchanged", { k: "1" }]);
      assert.deepEqual(await apply("2"), ["changed", { k: "2" }]);
      assert.deepEqual(await apply("2"), ["unchanged", { k: "2" }]);
    },
  },
  {
    id: "SSA1",
    name: "apply has a single media type, also for JSON text",
    async run(context) {
      await expectRefusal(
        context,
        {
          method: "PATCH",
          path: `/api/v1/namespaces/${context.namespace}/configmaps/a?fieldManager=m1`,
          contentType: "application/apply-patch+json",
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
        },
        { code: 415, reason: "UnsupportedMediaType" },
      );
    },
  },
  {
    id: "SSA2",
    name: "apply needs a field manager of at most 128 bytes",
    async run(context) {
      const apply = {
        method: "PATCH" as const,
        contentType: applyYaml,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
      };
      const path = `/api/v1/namespaces/${context.namespace}/configmaps/a`;
      const missing = await expectRefusal(
        context,
        { ...apply, path },
        {
          code: 422,
          reason: "Invalid",
          message:
            'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        },
      );
      assert.deepEqual(missing.details?.causes, [
        {
          reason: "FieldValueRequired",
          message: "Required value: is required for apply patch",
          field: "fieldManager",
        },
      ]);
      const long = await expectRefusal(
        context,
        { ...apply, path: `${path}?fieldManager=${"m".repeat(129)}` },
        { code: 422, reason: "Invalid" },
      );
      assert.equal(long.details?.causes?.[0]?.field, "fieldManager");
    },
  },
  {
    id: "SSA5",
    name: "the name and kind in the body must match those of the URL",
    async run(context) {
      const request = (body: object) => ({
        method: "PATCH" as const,
        path: `/api/v1/namespaces/${context.namespace}/configmaps/a?fieldManager=m1`,
        contentType: applyYaml,
        body,
      });
      await expectRefusal(
        context,
        request({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } }),
        { code: 400, reason: "BadRequest" },
      );
      await expectRefusal(
        context,
        request({ apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
        { code: 400, reason: "BadRequest" },
      );
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      const { status } = await rawRequest(
        context,
        request({ apiVersion: "v1", kind: "ConfigMap" }),
      );
      assert.equal(status, 200);
    },
  },
  {
    id: "SSA14",
    name: "a field dropped by its only owner is removed, or reset to its default",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const options = { fieldManager: "m1" };
      const full = deployment("a", 5);
      full.spec?.template.spec?.containers.push({
        name: "extra",
        image: "registry.k8s.io/extra:1",
      });
      await deployments.apply(full, options);
      const { replicas: _, ...spec } = deployment("a").spec as NonNullable<Deployment["spec"]>;
      const applied = await deployments.apply({ ...deployment("a"), spec }, options);
      assert.equal(applied.spec?.replicas, 1);
      assert.deepEqual(
        applied.spec?.template.spec?.containers.map(({ name }) => name),
        ["main"],
      );
    },
  },
  {
    id: "SSA35",
    name: "a field of another manager remains when an apply omits it",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { theirs: "1" }));
      const applied = await configMaps.apply(configMap("a", { mine: "1" }), { fieldManager: "m1" });
      assert.deepEqual(applied.data, { theirs: "1", mine: "1" });
      const again = await configMaps.apply(configMap("a", { other: "1" }), { fieldManager: "m1" });
      assert.deepEqual(again.data, { theirs: "1", other: "1" });
    },
  },
  {
    id: "apply-no-change",
    name: "an apply that changes nothing keeps the resourceVersion",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const options = { fieldManager: "m1" };
      const first = await configMaps.apply(configMap("a", { k: "v" }), options);
      const second = await configMaps.apply(configMap("a", { k: "v" }), options);
      assert.deepEqual(second, first);
    },
  },
  {
    id: "apply-empty-map",
    name: "an empty map that the server does not store is owned, and conflicts with that of another manager",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const empty = { metadata: { name: "a", labels: {} } };
      await configMaps.apply(empty, { fieldManager: "m1" });
      const { causes } = await expectFailure(configMaps.apply(empty, { fieldManager: "m2" }), {
        code: 409,
        reason: "Conflict",
      });
      assert.deepEqual(
        causes.map(({ field }) => field),
        [".metadata.labels"],
      );
    },
  },
  {
    id: "SSA22",
    name: "an apply with an unknown field fails regardless of fieldValidation",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const unknown = { metadata: { name: "a" }, datum: {} };
      const failing = configMaps.apply(unknown, { fieldManager: "m1", fieldValidation: "Ignore" });
      await expectFailure(failing, {
        code: 500,
        reason: "InternalError",
        message: /failed to create typed patch object .*\.datum: field not declared in schema/,
      });
    },
  },
  {
    id: "SSA23",
    name: "applied text round-trips, whatever characters it contains",
    async run({ client, namespace }) {
      const data = {
        astral: "🚀\u{10ffff}",
        slash: "a/b</script>",
        controls: "\u0000\u0001\u0007\u001b\u001f",
        c1: "\u007f\u0080\u009f",
        nextLine: "a \u0085 b",
        separators: "a \u2028 b \u2029 c",
        specials: "\ufeff\ufffe\uffff",
      };
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", data), { fieldManager: "m1" });
      assert.deepEqual((await configMaps.get("a")).data, data);
    },
  },
  {
    id: "SSA24",
    name: "a large integer survives an apply",
    async run(context) {
      const { client, namespace } = context;
      const widgets = widgetsIn(client, namespace);
      const spec = { big: 9007199254740993n };
      await widgets.apply({ metadata: { name: "a" }, spec }, { fieldManager: "m1" });
      const path = `/apis/conformance.typekube.dev/v1/namespaces/${namespace}/widgets/a`;
      assert.match((await rawRequest(context, { path })).text, /"big":9007199254740993\b/);
      assert.deepEqual((await widgets.get("a"))["spec"], spec);
    },
  },
  {
    id: "SSA25",
    name: "an applied value wins; omitted fields are removed unless another manager owns them",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const apply = (fieldManager: string, data: Record<string, string>) =>
        configMaps.apply({ metadata: { name: "a" }, data }, { fieldManager });
      await apply("m1", { changed: "1", dropped: "1", shared: "1" });
      await apply("m2", { other: "1", shared: "1" });
      const applied = await apply("m1", { changed: "2" });
      assert.deepEqual(applied.data, { changed: "2", other: "1", shared: "1" });
    },
  },
  {
    id: "SSA26-map",
    name: "items of a list of type map are merged by all of their keys",
    async run({ client, namespace }) {
      const services = client.resource(Service, namespace);
      const port = (protocol: "TCP" | "UDP", name: string) => ({ name, protocol, port: 53 });
      const service = (...ports: ReturnType<typeof port>[]) => ({
        metadata: { name: "a" },
        spec: { ports, selector: { app: "a" } },
      });
      await services.apply(service(port("TCP", "one")), { fieldManager: "m1" });
      const applied = await services.apply(service(port("UDP", "two")), { fieldManager: "m2" });
      assert.deepEqual(
        applied.spec?.ports?.map(({ name, protocol }) => ({ name, protocol })),
        [
          { name: "one", protocol: "TCP" },
          { name: "two", protocol: "UDP" },
        ],
      );
    },
  },
  {
    id: "SSA28",
    name: "two items of a list of type map may share one key, not all keys",
    async run({ client, namespace }) {
      const services = client.resource(Service, namespace);
      const port = (protocol: "TCP" | "UDP", name: string) => ({ name, protocol, port: 53 });
      const service = (name: string, ...ports: ReturnType<typeof port>[]) => ({
        metadata: { name },
        spec: { ports, selector: { app: "a" } },
      });
      await services.create(service("one", port("TCP", "one"), port("UDP", "two")));
      const equal = services.create(service("two", port("TCP", "one"), port("TCP", "two")));
      const { causes } = await expectFailure(equal, { code: 422, reason: "Invalid" });
      assert.deepEqual(
        causes.map(({ field, reason }) => [field, reason]),
        [["spec.ports[1]", "FieldValueDuplicate"]],
      );
    },
  },
  {
    id: "SSA26-set",
    name: "each item of a set belongs to the managers that applied it",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const finalized = (...finalizers: string[]) => ({ metadata: { name: "a", finalizers } });
      await configMaps.apply(finalized("x.io/1"), { fieldManager: "m1" });
      const both = await configMaps.apply(finalized("x.io/2"), { fieldManager: "m2" });
      assert.deepEqual([...(both.metadata.finalizers ?? [])].sort(), ["x.io/1", "x.io/2"]);
      const one = await configMaps.apply({ metadata: { name: "a" } }, { fieldManager: "m1" });
      assert.deepEqual(one.metadata.finalizers, ["x.io/2"]);
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "SSA26-atomic",
    name: "an atomic map is replaced whole; SSA29: it has one owner, so another key is a conflict",
    async run({ client, namespace }) {
      const services = client.resource(Service, namespace);
      const service = (selector: Record<string, string>) => ({
        metadata: { name: "a" },
        spec: { selector, ports: [{ port: 80 }] },
      });
      await services.apply(service({ one: "1" }), { fieldManager: "m1" });
      const failing = services.apply(service({ two: "2" }), { fieldManager: "m2" });
      const { causes } = await expectFailure(failing, { code: 409, reason: "Conflict" });
      assert.deepEqual(
        causes.map(({ field }) => field),
        [".spec.selector"],
      );
      const forced = await services.apply(service({ two: "2" }), {
        fieldManager: "m2",
        force: true,
      });
      assert.deepEqual(forced.spec?.selector, { two: "2" });
    },
  },
  {
    id: "SSA31",
    name: "without markers in a custom resource, maps are merged and lists are replaced",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      const widget = (spec: object) => ({ metadata: { name: "a" }, spec });
      await widgets.apply(widget({ map: { one: 1 } }), { fieldManager: "m1" });
      await widgets.apply(widget({ map: { two: 2 }, list: [1, 2] }), { fieldManager: "m2" });
      const applied = await widgets.apply(widget({ map: { two: 2 }, list: [3] }), {
        fieldManager: "m2",
      });
      assert.deepEqual(applied["spec"], { map: { one: 1, two: 2 }, list: [3] });
    },
  },
  {
    id: "SSA36",
    name: "a resourceVersion in an apply is a precondition that force does not override",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      await configMaps.patch("a", mergePatch({ data: { k: "1" } }));
      const stale = {
        metadata: { name: "a", resourceVersion: metadata.resourceVersion },
        data: {},
      };
      const failing = configMaps.apply(stale, { fieldManager: "m1", force: true });
      await expectFailure(failing, {
        code: 409,
        reason: "Conflict",
        message: /the object has been modified/,
        causes: [],
      });
    },
  },
];
