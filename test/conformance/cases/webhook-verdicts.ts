import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { patching, registerHooks, rejection } from "../support/admission-hooks.js";
import { configMap } from "../support/objects.js";
import { OddResponse } from "../support/review-webhook.js";

const name = '"hook-0.typekube.dev"';
const failing = `Internal error occurred: failed calling webhook ${name}: `;
const invalid = `${failing}received invalid webhook response: `;

type Rejection = readonly [code: number, reason: string | undefined, message: string];

/** Responses of a validating webhook that denies, each with the rejection that the client gets. */
const denials: readonly (readonly [response: object, ...rejection: Rejection])[] = [
  [{}, 400, undefined, `admission webhook ${name} denied the request without explanation`],
  [
    { status: { message: "no" } },
    400,
    undefined,
    `admission webhook ${name} denied the request: no`,
  ],
  [
    { status: { reason: "Forbidden", code: 403 } },
    403,
    "Forbidden",
    `admission webhook ${name} denied the request: Forbidden`,
  ],
  [
    { status: { status: "Success", reason: "Invalid", message: "bad", code: 200 } },
    400,
    "Invalid",
    `admission webhook ${name} denied the request: bad`,
  ],
  [
    { status: { message: "later", code: 503, details: { retryAfterSeconds: 0, kind: "x" } } },
    503,
    undefined,
    `admission webhook ${name} denied the request: later`,
  ],
];

/** Responses of a validating webhook that are no valid reviews, each with the message of the client's error. */
const invalidReviews: readonly (readonly [response: object, message: string])[] = [
  [{ allowed: true, patch: "W10=" }, `${invalid}validating webhook may not return response.patch`],
  [
    { allowed: true, patchType: "JSONPatch" },
    `${invalid}validating webhook may not return response.patchType`,
  ],
  [
    new OddResponse(200, { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }),
    `${invalid}webhook response was absent`,
  ],
  [
    new OddResponse(404, "nothing"),
    `${failing}failed to call webhook: the server could not find the requested resource`,
  ],
  [
    new OddResponse(500, "oh no"),
    `${failing}failed to call webhook: an error on the server ("unknown") has prevented the request from succeeding`,
  ],
  [
    new OddResponse(503, {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: "busy",
      code: 503,
    }),
    `${failing}failed to call webhook: busy`,
  ],
  [
    new OddResponse(418, "tea"),
    `${failing}failed to call webhook: the server responded with the status code 418 but did not return more information`,
  ],
];

/** Responses of a mutating webhook that can't be applied, each with the message of the client's error. */
const badPatches: readonly (readonly [response: object, message: string])[] = [
  [
    { allowed: true, patch: "W10=" },
    `${invalid}webhook returned response.patch but not response.patchType`,
  ],
  [
    { allowed: true, patchType: "JSONPatch" },
    `${invalid}webhook returned response.patchType but not response.patch`,
  ],
  [
    { ...patching({ op: "add", path: "/data", value: {} }), patchType: "Other" },
    `${failing}unsupported patch type "Other"`,
  ],
  [
    patching({ op: "add", path: "/nowhere/a", value: 1 }),
    'Internal error occurred: add operation does not apply: doc is missing path: "/nowhere/a": missing value',
  ],
  [
    patching({ op: "replace", path: "/nowhere/a", value: 1 }),
    "Internal error occurred: replace operation does not apply: doc is missing path: /nowhere/a: missing value",
  ],
  [
    patching({ op: "remove", path: "/nowhere" }),
    "Internal error occurred: error in remove for path: '/nowhere': Unable to remove nonexistent key: nowhere: missing value",
  ],
  [
    patching({ op: "remove", path: "/nowhere/a" }),
    'Internal error occurred: remove operation does not apply: doc is missing path: "/nowhere/a": missing value',
  ],
  [
    patching({ op: "move", from: "/nowhere/a", path: "/data" }),
    "Internal error occurred: move operation does not apply: doc is missing from path: /nowhere/a: missing value",
  ],
  [
    patching({ op: "test", path: "/nowhere/a", value: 1 }),
    "Internal error occurred: test operation does not apply: is missing path: /nowhere/a: missing value",
  ],
  [
    patching({ op: "add", path: "/metadata/finalizers/7", value: {} }),
    "Internal error occurred: error in add for path: '/metadata/finalizers/7': Unable to access invalid index: 7: invalid index referenced",
  ],
  [
    patching({ op: "test", path: "/metadata/name", value: "other" }),
    "Internal error occurred: testing value /metadata/name failed: test failed",
  ],
  [
    patching({ op: "add", path: "/data", value: { a: 1 } }),
    "Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
  ],
];

/** Cases for the responses of admission webhooks. */
export const webhookVerdicts: readonly ConformanceCase[] = [
  {
    id: "CT9-denials",
    name: "a webhook denies a request with its own Status, corrected where it does not state a failure",
    needs: ["webhooks"],
    async run(context) {
      let response: object = {};
      const reply = () => ({ allowed: false, ...response });
      await using _ = await registerHooks(context, "validating", [{}], reply);
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      for (const [given, ...expected] of denials) {
        response = given;
        assert.deepEqual(await rejection(configMaps.create(configMap("a"))), expected);
      }
    },
  },
  {
    id: "CT9-invalid-reviews",
    name: "an invalid response of a webhook is an internal error, unless failures are ignored",
    needs: ["webhooks"],
    async run(context) {
      let response: object = {};
      const hooks = [{}, { failurePolicy: "Ignore" }];
      await using _ = await registerHooks(context, "validating", hooks, (_review, path) =>
        path === "/0" ? response : new OddResponse(500, "ignored"),
      );
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      const found: unknown[] = [];
      for (const [given] of invalidReviews) {
        response = given;
        found.push(await rejection(configMaps.create(configMap("a"))));
      }
      assert.deepEqual(
        found,
        invalidReviews.map(([, message]) => [500, "InternalError", message]),
      );
      response = { allowed: true };
      await configMaps.create(configMap("a"));
    },
  },
  {
    id: "CT9-bad-patches",
    name: "a patch of a webhook that cannot be applied is an internal error",
    needs: ["webhooks"],
    async run(context) {
      let response: object = { allowed: true };
      await using _ = await registerHooks(context, "mutating", [{}], () => response);
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      const found: unknown[] = [];
      for (const [given] of badPatches) {
        response = given;
        const metadata = { name: "a", finalizers: ["typekube.dev/a"] };
        found.push(await rejection(configMaps.create({ metadata })));
      }
      assert.deepEqual(
        found,
        badPatches.map(([, message]) => [500, "InternalError", message]),
      );
    },
  },
  {
    id: "CT9-unreachable",
    name: "a webhook that refuses connections fails by its failure policy",
    needs: ["webhooks"],
    async run(context) {
      const clientConfig = { url: "https://127.0.0.1:1/hook" };
      const hooks = [
        { clientConfig, failurePolicy: "Ignore" },
        { clientConfig, objectSelector: { matchLabels: { fails: "yes" } } },
      ];
      await using _ = await registerHooks(context, "validating", hooks, () => ({}));
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("a"));
      const failed = configMaps.create(configMap("b", {}, { fails: "yes" }));
      assert.deepEqual(await rejection(failed), [
        500,
        "InternalError",
        'Internal error occurred: failed calling webhook "hook-1.typekube.dev": failed to call webhook: Post "https://127.0.0.1:1/hook?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
      ]);
    },
  },
  {
    id: "CT9-slow",
    name: "mutating webhooks after one that is ignored for its slowness are called",
    needs: ["webhooks"],
    async run(context) {
      const hooks = [{ timeoutSeconds: 1, failurePolicy: "Ignore" }, {}];
      await using webhooks = await registerHooks(context, "mutating", hooks, (_review, path) =>
        path === "/0" ? new Promise<object>(() => {}) : { allowed: true },
      );
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      assert.deepEqual(webhooks.paths, ["/0", "/1"]);
    },
  },
  {
    id: "CT9-deadline",
    name: "the error of a webhook that does not respond in time names its deadline",
    needs: ["webhooks"],
    async run(context) {
      const hooks = [{ timeoutSeconds: 1 }];
      const reply = () => new Promise<object>(() => {});
      await using _ = await registerHooks(context, "validating", hooks, reply);
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      const [code, reason, message] = await rejection(configMaps.create(configMap("b")));
      assert.deepEqual(
        [code, reason, message.replace(/127.0.0.1:\d+/, "HOST")],
        [
          500,
          "InternalError",
          `${failing}failed to call webhook: Post "https://HOST/0?timeout=1s": context deadline exceeded`,
        ],
      );
    },
  },
];
