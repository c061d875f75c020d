import { applyConflicts, isApplyConflict, KubeError, refusedFields } from "@typekube/core";
import { csaUpgradeOperations, errorFromStatus, extractApplied } from "@typekube/core/internal";
import { thrown } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

const conflict = (message: string, field: string) => ({
  reason: "FieldManagerConflict",
  message,
  field,
});
const refusal = (...causes: ReturnType<typeof conflict>[]) =>
  errorFromStatus({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "Conflict",
    code: 409,
    message: "Apply failed",
    details: { causes },
  });

describe("SSA8: apply conflicts as data", () => {
  it("returns the manager, the field and its current value", () => {
    const object = {
      metadata: { labels: { "app.kubernetes.io/name": "y" } },
      spec: { containers: [{ name: "web", image: "w:1" }] },
    };
    const error = refusal(
      conflict('conflict with "m1"', '.spec.containers[name="web"].image'),
      conflict(
        'conflict with "m2" with subresource "status" using apps/v1 at 2026-01-02T03:04:05Z',
        ".metadata.labels.app.kubernetes.io/name",
      ),
      conflict('conflict with "m \\"3\\"" using v1', ".spec.gone"),
    );
    expect(applyConflicts(error, object)).toEqual([
      {
        manager: "m1",
        path: '.spec.containers[name="web"].image',
        fields: [
          { field: "spec" },
          { field: "containers" },
          { keys: { name: "web" } },
          { field: "image" },
        ],
        value: "w:1",
      },
      {
        manager: "m2",
        subresource: "status",
        apiVersion: "apps/v1",
        time: "2026-01-02T03:04:05Z",
        path: ".metadata.labels.app.kubernetes.io/name",
        fields: [{ field: "metadata" }, { field: "labels" }, { field: "app.kubernetes.io/name" }],
        value: "y",
      },
      {
        manager: 'm "3"',
        apiVersion: "v1",
        path: ".spec.gone",
        fields: [{ field: "spec" }, { field: "gone" }],
        value: undefined,
      },
    ]);
    expect(applyConflicts(error)[0]).not.toHaveProperty("value");
  });

  it("accepts a path or a message of another form", () => {
    expect(applyConflicts(refusal(conflict("?", "?")))).toEqual([
      { manager: "", path: "?", fields: [] },
    ]);
  });

  it("SSA36: returns nothing for other conflicts and other errors", () => {
    expect(isApplyConflict(refusal(conflict("", "")))).toBe(true);
    for (const other of [refusal(), new KubeError("NotFound", "x"), new Error("x"), undefined]) {
      expect(isApplyConflict(other)).toBe(false);
      expect(applyConflicts(other)).toEqual([]);
    }
  });
});

describe("FLD5, FLD6: fields that strict validation rejected", () => {
  it.each(["BadRequest", "Invalid"] as const)(
    "the rejected fields are read from an error with the code %s",
    (code) => {
      const text =
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "datum", ' +
        'duplicate field "data.a"';
      expect(refusedFields(new KubeError(code, text))).toEqual([
        { problem: "unknown", field: "datum" },
        { problem: "duplicate", field: "data.a" },
      ]);
    },
  );

  it("are empty for any other error", () => {
    for (const error of [
      new KubeError("Invalid", 'unknown field "x"'),
      new KubeError("NotFound", 'strict decoding error: unknown field "x"'),
      new Error('strict decoding error: unknown field "x"'),
    ]) {
      expect(refusedFields(error)).toEqual([]);
    }
  });
});

const entry = (
  manager: string,
  operation: "Apply" | "Update",
  fieldsV1: object,
  rest: object = {},
) => ({
  manager,
  operation,
  apiVersion: "x.io/v1",
  fieldsType: "FieldsV1",
  fieldsV1: fieldsV1 as Record<string, unknown>,
  ...rest,
});
const identity = { apiVersion: "x.io/v1", kind: "Widget" };

describe("extract", () => {
  it("returns a keyed list, a set, an atomic list and a map, in the order of the object", () => {
    const object = {
      ...identity,
      metadata: {
        name: "a",
        managedFields: [
          entry("m", "Apply", {
            "f:spec": {
              "f:keyed": {
                'k:{"id":2}': { ".": {}, "f:id": {}, "f:v": {} },
                'k:{"id":1}': { "f:v": {} },
                'k:{"id":9}': { "f:v": {} },
              },
              "f:set": { 'v:"b"': {}, 'v:"a"': {} },
              "f:whole": {},
              "f:gone": {},
              "f:deep": { "f:a.b": {} },
            },
          }),
        ],
      },
      spec: {
        keyed: [
          { id: 1, v: "one", theirs: 1 },
          { id: 2, v: "two" },
          { id: 3, v: "three" },
        ],
        set: ["a", "b", "c"],
        whole: [{ x: 1 }, 2],
        deep: { "a.b": 1, theirs: 2 },
      },
    };
    expect(extractApplied(object, "m")).toEqual({
      ...identity,
      metadata: { name: "a" },
      spec: {
        keyed: [
          { id: 1, v: "one" },
          { id: 2, v: "two" },
        ],
        set: ["a", "b"],
        whole: [{ x: 1 }, 2],
        deep: { "a.b": 1 },
      },
    });
  });

  it("omits a key that the manager left to its default, but not keys that no manager owns", () => {
    const object = {
      ...identity,
      metadata: {
        managedFields: [
          entry("m", "Apply", {
            "f:ports": {
              'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {}, "f:name": {} },
              'k:{"port":90,"protocol":"TCP"}': { "f:name": {} },
            },
          }),
        ],
      },
      ports: [
        { port: 80, protocol: "TCP", name: "a" },
        { port: 90, protocol: "TCP", name: "b" },
      ],
    };
    expect(extractApplied(object, "m")).toMatchObject({
      ports: [
        { port: 80, name: "a" },
        { port: 90, protocol: "TCP", name: "b" },
      ],
    });
    expect((extractApplied(object, "m") as typeof object).ports[0]).not.toHaveProperty("protocol");
  });

  it("returns a copy that can be changed without changing the object", () => {
    const managedFields = [entry("m", "Apply", { "f:spec": { "f:whole": {} } })];
    const object = { ...identity, metadata: { managedFields }, spec: { whole: { x: [1] } } };
    const part = extractApplied(object, "m") as typeof object;
    part.spec.whole.x.push(2);
    expect(object.spec.whole.x).toEqual([1]);
  });

  it("ignores updates of the same manager, and other subresources", () => {
    const metadata = {
      managedFields: [
        entry("m", "Update", { "f:spec": { "f:a": {} } }),
        entry("m", "Apply", { "f:status": { "f:b": {} } }, { subresource: "status" }),
      ],
    };
    const object = { ...identity, metadata, spec: { a: 1 }, status: { b: 2 } };
    expect(extractApplied(object, "m")).toEqual({ ...identity, metadata: {} });
    expect(extractApplied(object, "m", undefined, { subresource: "status" })).toEqual({
      ...identity,
      metadata: {},
      status: { b: 2 },
    });
  });

  it("rejects an object without managedFields: applying nothing would release all fields", async () => {
    const error = await thrown(() => extractApplied({ ...identity, metadata: {} }, "m"));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain("read it with get");
  });

  it("SSA42: rejects an object in another apiVersion than was applied", async () => {
    const managedFields = [entry("m", "Apply", { "f:spec": {} })];
    const other = { ...identity, apiVersion: "x.io/v2", metadata: { managedFields } };
    expect((await thrown(() => extractApplied(other, "m"))).message).toContain(
      "read it in x.io/v1",
    );
  });
});

describe("SSA41: csaUpgrade", () => {
  const legacy = entry("kubectl-client-side-apply", "Update", { "f:spec": { "f:a": {} } });
  const object = (...managedFields: object[]) => ({
    ...identity,
    metadata: { name: "a", resourceVersion: "7", managedFields: managedFields as never },
  });

  it("makes the client-side owner the applier, for the resourceVersion that was read", () => {
    const others = entry("hpa", "Update", { "f:spec": { "f:b": {} } });
    expect(csaUpgradeOperations(object(legacy, others), { ssaManager: "me" })).toEqual([
      {
        op: "replace",
        path: "/metadata/managedFields",
        value: [{ ...legacy, manager: "me", operation: "Apply" }, others],
      },
      { op: "replace", path: "/metadata/resourceVersion", value: "7" },
    ]);
  });

  it("adds to the fields of an existing applier, and merges several managers", () => {
    const mine = entry(
      "me",
      "Apply",
      { "f:spec": { "f:c": {} } },
      { time: "2026-01-01T00:00:00Z" },
    );
    const more = entry("old-tool", "Update", { "f:data": { "f:x": {} } });
    const [operation] =
      csaUpgradeOperations(object(legacy, mine, more), {
        csaManagers: ["kubectl-client-side-apply", "old-tool"],
        ssaManager: "me",
      }) ?? [];
    expect(operation).toMatchObject({
      value: [
        { ...mine, fieldsV1: { "f:data": { "f:x": {} }, "f:spec": { "f:a": {}, "f:c": {} } } },
      ],
    });
  });

  it("returns no patch when there is nothing to do", () => {
    const status = { ...legacy, subresource: "status" };
    const applied = { ...legacy, operation: "Apply" as const };
    expect(csaUpgradeOperations(object(status, applied), { ssaManager: "me" })).toBeUndefined();
  });
});
