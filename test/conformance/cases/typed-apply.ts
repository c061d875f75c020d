import assert from "node:assert/strict";
import type { Status } from "@typekube/core";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";

const labels = { a: "b" };
const container = { name: "c", image: "i" };

function deployment(spec: object): object {
  const template = { metadata: { labels }, spec: { containers: [container] } };
  return {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: labels }, template, ...spec },
  };
}

function withContainers(containers: unknown): object {
  return deployment({ template: { metadata: { labels }, spec: { containers } } });
}

const isUndeclared = "field not declared in schema";
const place = "(/a; apps/v1, Kind=Deployment)";
const containers = ".spec.template.spec.containers";
const image = `${containers}[name="c"].image: expected string, got &value.valueUnstructured`;

/** Applied Deployments that violate the schema, with the problems. */
const untyped: readonly (readonly [id: string, object: object, ...problems: string[]])[] = [
  ["undeclared", deployment({ foo: 1 }), `.spec.foo: ${isUndeclared}`],
  [
    "undeclared-status",
    { metadata: { name: "a" }, status: { foo: 1 } },
    `.status.foo: ${isUndeclared}`,
  ],
  [
    "undeclared-items",
    withContainers([
      { ...container, foo: 1 },
      { ...container, name: "d", foo: 1 },
    ]),
    `${containers}[name="c"].foo: ${isUndeclared}`,
    `${containers}[name="d"].foo: ${isUndeclared}`,
  ],
  [
    "text-for-number",
    deployment({ replicas: "x" }),
    ".spec.replicas: expected numeric (int or float), got string",
  ],
  [
    "bool-for-number",
    deployment({ replicas: true }),
    ".spec.replicas: expected numeric (int or float), got bool",
  ],
  [
    "map-for-number",
    deployment({ replicas: { a: "b" } }),
    ".spec.replicas: expected numeric (int or float), got map[string]interface {}",
  ],
  ["number-for-text", withContainers([{ ...container, image: 1 }]), `${image}{Value:1}`],
  ["fraction-for-text", withContainers([{ ...container, image: 1.5 }]), `${image}{Value:1.5}`],
  ["bool-for-text", withContainers([{ ...container, image: true }]), `${image}{Value:true}`],
  [
    "map-for-text",
    withContainers([{ ...container, image: { a: 1 } }]),
    `${image}{Value:map[string]interface {}{"a":1}}`,
  ],
  [
    "list-for-text",
    withContainers([{ ...container, image: [1] }]),
    `${image}{Value:[]interface {}{1}}`,
  ],
  [
    "number-for-label",
    deployment({ selector: { matchLabels: { a: 1 } } }),
    ".spec.selector.matchLabels.a: expected string, got &value.valueUnstructured{Value:1}",
  ],
  ["text-for-bool", deployment({ paused: "x" }), ".spec.paused: expected boolean, got &{x}"],
  [
    "map-for-bool",
    deployment({ paused: { a: 1 } }),
    ".spec.paused: expected boolean, got &{map[a:1]}",
  ],
  ["text-for-map", deployment({ template: "x" }), ".spec.template: expected map, got &{x}"],
  ["list-for-map", deployment({ template: [1] }), ".spec.template: expected map, got &{[1]}"],
  ["map-for-list", withContainers({ a: 1 }), `${containers}: expected list, got &{map[a:1]}`],
  [
    "map-for-amount",
    withContainers([{ ...container, resources: { limits: { cpu: { a: 1 } } } }]),
    `${containers}[name="c"].resources.limits.cpu: expected any scalar, got &{map[a:1]}`,
  ],
  [
    "item-twice",
    withContainers([container, container]),
    `${containers}: duplicate entries for key [name="c"]`,
  ],
  [
    "item-null",
    withContainers([null]),
    `${containers}: element 0: associative list with keys may not have a null element`,
  ],
  [
    "item-text",
    withContainers(["x"]),
    `${containers}: element 0: associative list with keys may not have non-map elements`,
  ],
  [
    "value-twice",
    { metadata: { name: "a", finalizers: ["a.b/c", "a.b/c"] } },
    '.metadata.finalizers: duplicate entries for key [="a.b/c"]',
  ],
];

/** Applied Deployments that match the schema but not the Go type, with the message. */
const unconvertible: readonly (readonly [id: string, object: object, why: string])[] = [
  ["fraction", deployment({ replicas: 1.5 }), "cannot convert float64 to int32"],
  [
    "map-for-port",
    withContainers([{ ...container, livenessProbe: { httpGet: { port: { a: 1 } } } }]),
    "json: cannot unmarshal object into Go value of type int32",
  ],
  [
    "amount",
    withContainers([{ ...container, resources: { limits: { cpu: "x" } } }]),
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
];

async function refusalOf(context: ConformanceContext, object: object): Promise<Status> {
  const response = await rawRequest(context, {
    method: "PATCH",
    path: `/apis/apps/v1/namespaces/${context.namespace}/deployments/a?fieldManager=m`,
    contentType: "application/apply-patch+yaml",
    body: { apiVersion: "apps/v1", kind: "Deployment", ...object },
  });
  assert.equal(response.status, 500, response.text);
  return response.json<Status>();
}

/** Cases for applies that violate the schema. */
export const typedApply: readonly ConformanceCase[] = [
  ...untyped.map(
    ([id, object, ...problems]): ConformanceCase => ({
      id: `SSA-typed-${id}`,
      name: "an apply that does not fit the schema is rejected with paths and reasons",
      async run(context) {
        const [first, ...more] = problems;
        const why =
          more.length === 0 ? first : `errors:\n${problems.map((one) => `  ${one}`).join("\n")}`;
        const { message, reason } = await refusalOf(context, object);
        assert.equal(message, `failed to create typed patch object ${place}: ${why}`);
        assert.equal(reason, undefined);
      },
    }),
  ),
  ...unconvertible.map(
    ([id, object, why]): ConformanceCase => ({
      id: `SSA-converted-${id}`,
      name: "an apply that fits the schema but not the Go type is rejected with a conversion error",
      async run(context) {
        const { message } = await refusalOf(context, object);
        assert.equal(
          message,
          `failed to convert new object ${place} to proper version: unable to convert unstructured object to apps/v1, Kind=Deployment: ${why}`,
        );
      },
    }),
  ),
  {
    id: "SSA-typed-first",
    name: "for several undeclared fields of one object the server reports one, at random",
    async run(context) {
      const { message } = await refusalOf(context, deployment({ foo: 1, bar: 1 }));
      const received = new RegExp(`: \\.spec\\.(foo|bar): ${isUndeclared}$`);
      assert.match(message ?? "", received);
    },
  },
];
