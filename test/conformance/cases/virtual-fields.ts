import assert from "node:assert/strict";
import { mediaTypes } from "@typekube/core/internal";
import { parseWarnings } from "@typekube/transport";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";
import { rawRequest } from "../support/raw-request.js";

const reviewPath = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

/** Creates a pod, a ServiceAccount and a Deployment, and returns their collections and that of reviews. */
async function made(context: ConformanceContext) {
  const pods = rawCollection(context, "/api/v1/%/pods");
  const accounts = rawCollection(context, "/api/v1/%/serviceaccounts");
  const deployments = rawCollection(context, "/apis/apps/v1/%/deployments");
  await accepted(pods.post("", { ...pod("a") }));
  await accepted(accounts.post("", { metadata: { name: "s" } }));
  await accepted(deployments.post("", { ...deployment("d") }));
  return { pods, accounts, deployments, reviews: rawCollection(context, reviewPath) };
}

const requested = { user: "u", resourceAttributes: { verb: "get", resource: "pods" } };
const jsonPatch = (context: ConformanceContext, path: string, operations: readonly object[]) =>
  rawRequest(context, {
    method: "PATCH",
    path: path.replace("%", `namespaces/${context.namespace}`),
    contentType: mediaTypes.jsonPatch,
    body: operations,
  });

/** Cases that show that bodies of subresources and virtual kinds are decoded as strictly as stored kinds. */
export const virtualFields: readonly ConformanceCase[] = [
  {
    id: "virtual-unknown-fields",
    name: "an unknown field in an eviction, a token request, a review or a scale returns a warning, or an error with Strict",
    async run(context) {
      const { pods, accounts, deployments, reviews } = await made(context);
      const scale = { metadata: { name: "d" }, spec: { replicas: 2 } };
      const sent = [
        [pods.post, "/a/eviction", {}, "Eviction"],
        [accounts.post, "/s/token", {}, "TokenRequest"],
        [reviews.post, "", { spec: requested }, "SubjectAccessReview"],
        [deployments.put, "/d/scale", scale, "Scale"],
      ] as const;
      for (const [send, place, body, kind] of sent) {
        const unknown = { ...body, foo: 1 };
        const warned = await send(`${place}?dryRun=All`, unknown);
        assert.deepEqual(parseWarnings(warned.headers["warning"] ?? ""), ['unknown field "foo"']);
        assert.deepEqual(await refused(send(`${place}?fieldValidation=Strict`, unknown)), [
          400,
          `${kind} in version "v1" cannot be handled as a ${kind}: strict decoding error: unknown field "foo"`,
        ]);
      }
      const older = { apiVersion: "policy/v1beta1", kind: "Eviction", foo: 1 };
      const [, why] = await refused(pods.post("/a/eviction?fieldValidation=Strict", older));
      assert.match(why, /^Eviction in version "v1beta1" cannot be handled as a Eviction/);
    },
  },
  {
    id: "virtual-wrong-types",
    name: "a value of the wrong type or another kind in these bodies is rejected",
    async run(context) {
      const { pods, accounts, deployments, reviews } = await made(context);
      const scale = (spec: object) =>
        deployments.put("/d/scale", { metadata: { name: "d" }, spec });
      const refusals = [
        [
          pods.post("/a/eviction", { deleteOptions: { gracePeriodSeconds: "x" } }),
          /^Eviction in version "v1" .* cannot unmarshal string into Go struct field DeleteOptions\.deleteOptions\.gracePeriodSeconds of type int64$/,
        ],
        [
          accounts.post("/s/token", { spec: { audiences: "a" } }),
          /^TokenRequest in version "v1" .* cannot unmarshal string into Go struct field TokenRequestSpec\.spec\.audiences of type \[\]string$/,
        ],
        [
          reviews.post("", { spec: { ...requested, extra: { a: "b" } } }),
          /cannot unmarshal string into Go struct field SubjectAccessReviewSpec\.spec\.extra of type v1\.ExtraValue$/,
        ],
        [
          reviews.post("", { apiVersion: "v1", kind: "Pod", spec: requested }),
          /converting \(v1\.Pod\) to \(authorization\.SubjectAccessReview\): unknown conversion$/,
        ],
        [
          scale({ replicas: "2" }),
          /cannot unmarshal string into Go struct field ScaleSpec\.spec\.replicas of type int32$/,
        ],
        [
          deployments.put("/d/scale", {
            ...deployment("d"),
            apiVersion: "apps/v1",
            kind: "Deployment",
          }),
          /converting \(v1\.Deployment\) to \(autoscaling\.Scale\): unknown conversion$/,
        ],
      ] as const;
      for (const [response, expected] of refusals) {
        const [code, why] = await refused(response);
        assert.equal(code, 400, why);
        assert.match(why, expected);
      }
    },
  },
  {
    id: "review-fields",
    name: "an access review accepts extra values as lists, and must not have metadata",
    async run(context) {
      const { reviews } = await made(context);
      const spec = { ...requested, extra: { a: ["b"], c: null } };
      const response = await accepted<{ spec: object }>(reviews.post("", { spec }));
      assert.deepEqual(response.spec, spec);
      const [code, why] = await refused(
        reviews.post("", { metadata: { name: "a" }, spec: requested }),
      );
      assert.equal(code, 422);
      assert.match(why, /metadata: Invalid value: \{"name":"a".*\}: must be empty$/);
      const path = "/apis/authorization.k8s.io/v1/%/localsubjectaccessreviews";
      const local = rawCollection(context, path);
      const inPlace = { ...requested, resourceAttributes: { namespace: context.namespace } };
      const [, whyLocal] = await refused(
        local.post("", { metadata: { name: "a" }, spec: inPlace }),
      );
      assert.match(whyLocal, /must be empty except for namespace$/);
    },
  },
  {
    id: "scale-patch-fields",
    name: "the result of a patch of a scale is validated in the same way",
    async run(context) {
      const { deployments } = await made(context);
      for (const patch of [deployments.merge, deployments.strategic]) {
        const warned = await patch("/d/scale", { foo: 1, spec: { replicas: 3 } });
        assert.deepEqual(parseWarnings(warned.headers["warning"] ?? ""), ['unknown field "foo"']);
        const [code, why] = await refused(patch("/d/scale?fieldValidation=Strict", { foo: 1 }));
        assert.equal(code, 422);
        assert.match(why, /^ "" is invalid: patch: .*strict decoding error: unknown field "foo"$/);
      }
      const wrong = [{ op: "replace", path: "/spec/replicas", value: "4" }];
      const [code, why] = await refused(
        jsonPatch(context, "/apis/apps/v1/%/deployments/d/scale", wrong),
      );
      assert.equal(code, 422);
      assert.match(why, /into Go struct field ScaleSpec\.spec\.replicas of type int32$/);
    },
  },
  {
    id: "patched-kind",
    name: "a merge or JSON patch that changes the kind is rejected; a strategic patch ignores the kind",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      await accepted(configMaps.post("", { ...configMap("c") }));
      const other = { apiVersion: "v1", kind: "Pod" };
      const replaced = [{ op: "replace", path: "/kind", value: "Pod" }];
      const refusals = [
        configMaps.merge("/c", other),
        jsonPatch(context, "/api/v1/%/configmaps/c", replaced),
      ];
      for (const response of refusals) {
        const [code, why] = await refused(response);
        assert.equal(code, 422);
        assert.match(why, /: converting \(v1\.Pod\) to \(core\.ConfigMap\): unknown conversion$/);
      }
      const kept = await accepted(configMaps.strategic("/c", other));
      assert.equal(kept["kind"], "ConfigMap");
    },
  },
];
