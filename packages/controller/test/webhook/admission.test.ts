import assert from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { admission, createWebhook, review } from "@typekube/controller";
import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { manualClock } from "@typekube/test-support/manual-clock";
import { describe, expect, test } from "vitest";
import { Shop } from "../shop.js";
import { applyJsonPatch } from "./apply-json-patch.js";
import { admissionReview, post, readReply, reviewOf } from "./requests.js";

const shop = { metadata: { name: "tea", namespace: "prod" }, spec: { image: "tea:1" } };

describe("admission handlers as plain functions", () => {
  const hooks = admission(Shop, {
    mutate(draft) {
      draft.spec ??= {};
      draft.spec.host ||= `${draft.metadata.name}.example.com`;
    },
    validate({ object, oldObject, deny, warn }) {
      if ((object.spec?.replicas ?? 0) > 50) {
        warn("more than 50 replicas are slow to roll out");
      }
      if (oldObject && oldObject.spec?.host !== object.spec?.host) {
        return deny("host is immutable", { field: "spec.host" });
      }
      return undefined;
    },
  });

  test("CA31: review() mutates, validates and returns the object, the patch and the warnings", async () => {
    const result = await review(hooks, {
      object: { ...shop, spec: { ...shop.spec, replicas: 60 } },
    });
    expect(result).toMatchObject({
      allowed: true,
      object: { apiVersion: "example.com/v1", kind: "Shop", spec: { host: "tea.example.com" } },
      patch: [{ op: "add", path: "/spec/host", value: "tea.example.com" }],
      warnings: ["more than 50 replicas are slow to roll out"],
    });
  });

  test("CA4: a denial with a field is Invalid and has the cause", async () => {
    const { allowed, status } = await review(hooks, {
      object: { ...shop, spec: { host: "a" } },
      oldObject: { ...shop, spec: { host: "b" } },
    });
    expect([allowed, status]).toEqual([
      false,
      {
        status: "Failure",
        code: 422,
        reason: "Invalid",
        message: "host is immutable",
        details: {
          causes: [
            { reason: "FieldValueInvalid", field: "spec.host", message: "host is immutable" },
          ],
        },
      },
    ]);
  });

  test("CA4: code, reason and causes are those given; the default is 403 Forbidden", async () => {
    const causes = [{ field: "spec.image", message: "unknown registry" }];
    const denyWith = (options?: object) =>
      review(admission(Shop, { validate: ({ deny }) => deny("no", options) }), { object: shop });
    expect((await denyWith()).status).toMatchObject({ code: 403, reason: "Forbidden" });
    expect((await denyWith({ code: 409, reason: "Conflict", causes })).status).toMatchObject({
      code: 409,
      reason: "Conflict",
      details: { causes },
    });
  });

  test("CA31: the objects given are not changed; objects that do not fit the operation are refused", async () => {
    const frozen = structuredClone(shop);
    await review(hooks, { object: shop });
    expect(shop).toEqual(frozen);
    await assert.rejects(review(hooks, { object: shop, operation: "DELETE" }), {
      code: "InvalidArgument",
    });
  });

  test("CA8: each mutator sees the result of the one before; notes of all that ran are joined", async () => {
    const seen: unknown[] = [];
    const many = admission(Shop, {
      mutate: [
        (draft, { warn, audit }) => {
          draft.spec = { ...draft.spec, host: "first" };
          warn("one");
          audit("first", "1");
        },
        (draft, { warn, audit }) => {
          seen.push(draft.spec?.host);
          draft.spec = { ...draft.spec, host: "second" };
          warn("two");
          audit("second", "2");
        },
      ],
    });
    const { patch, warnings, auditAnnotations } = await review(many, { object: shop });
    expect([seen, patch, warnings, auditAnnotations]).toEqual([
      ["first"],
      [{ op: "add", path: "/spec/host", value: "second" }],
      ["one", "two"],
      { first: "1", second: "2" },
    ]);
  });

  test("CA8: the first denial ends the mutators, keeps the notes and sends no patch", async () => {
    let runs = 0;
    const many = admission(Shop, {
      mutate: [
        (draft, { warn, deny }) => {
          draft.spec = { host: "changed" };
          warn("one");
          return deny("no");
        },
        () => {
          runs += 1;
        },
      ],
    });
    const { allowed, patch, warnings } = await review(many, { object: shop });
    expect([allowed, patch, warnings, runs]).toEqual([false, [], ["one"], 0]);
  });

  test("CA9: a delete has only the old object, and mutators do not run", async () => {
    let mutations = 0;
    const seen: unknown[] = [];
    const deletes = admission(Shop, {
      operations: ["DELETE"],
      mutate: () => {
        mutations += 1;
      },
      validate({ object, oldObject, operation }) {
        seen.push([object satisfies undefined, oldObject.metadata.name, operation]);
      },
    });
    await review(deletes, { oldObject: shop });
    expect([mutations, seen]).toEqual([0, [[undefined, "tea", "DELETE"]]]);
  });

  test("CA10: warnings are one line without the prefix, and long ones are sent whole", async () => {
    const long = "x".repeat(300);
    const warner = admission(Shop, {
      validate({ warn }) {
        warn("Warning: a\nb");
        for (let n = 0; n < 30; n += 1) {
          warn(long);
        }
      },
    });
    const { warnings } = await review(warner, { object: shop });
    expect([warnings.length, warnings[0], warnings[30]]).toEqual([31, "a b", long]);
  });

  test("CA11: the key of an audit annotation has no prefix", async () => {
    const auditor = (key: string) =>
      admission(Shop, { validate: ({ audit }) => audit(key, "yes") });
    const { auditAnnotations } = await review(auditor("checked.by"), { object: shop });
    expect(auditAnnotations).toEqual({ "checked.by": "yes" });
    const { status } = await review(auditor("example.com/checked"), { object: shop });
    expect(status).toMatchObject({ code: 500 });
    expect(status?.message).toContain('key "example.com/checked" is not a name');
  });

  test("CA12: side effects are skipped in a dry run, and refused unless declared", async () => {
    const effects: boolean[] = [];
    const handler = (sideEffects: "None" | "NoneOnDryRun") =>
      admission(Shop, {
        sideEffects,
        async validate({ sideEffect, dryRun }) {
          await sideEffect(() => effects.push(dryRun));
        },
      });
    await review(handler("NoneOnDryRun"), { object: shop });
    await review(handler("NoneOnDryRun"), { object: shop, dryRun: true });
    expect(effects).toEqual([false]);
    const { status } = await review(handler("None"), { object: shop });
    expect(status?.message).toContain('set sideEffects: "NoneOnDryRun"');
  });

  test.each([
    ["None", false, "declares no side effects"],
    ["None", true, "must not write in a dry run"],
    ["NoneOnDryRun", true, "must not write in a dry run"],
    ["NoneOnDryRun", false, undefined],
  ] as const)(
    "CA12: with %s and dryRun %s a client's write is refused: %s",
    async (sideEffects, dryRun, why) => {
      await using api = await startApiServer();
      const client = await api.client();
      const writer = admission(Shop, {
        sideEffects,
        async validate() {
          // Reviews and reads leave nothing behind.
          await client.whoAmI();
          await client.resource(ConfigMap, "default").list();
          await client.resource(ConfigMap, "default").create({ metadata: { name: "count" } });
        },
      });
      const { allowed, status } = await review(writer, { object: shop, dryRun });
      const stored = await client.resource(ConfigMap, "default").find("count");
      expect([allowed, stored !== undefined]).toEqual([why === undefined, why === undefined]);
      if (why !== undefined) {
        expect(status?.message).toContain(why);
      }
    },
  );

  test("CA6: a value that JSON cannot carry fails the review with its path", async () => {
    const bad = admission(Shop, {
      mutate(draft) {
        Object.assign(draft, { spec: { at: new Date(0) } });
      },
    });
    const { status } = await review(bad, { object: shop });
    expect(status?.message).toContain("a mutator set /spec/at to a Date");
  });

  test("CA12, CA13: options that no server accepts are refused", () => {
    const define = (options: object) => () => admission(Shop, options as never);
    const validate = () => undefined;
    for (const options of [
      { validate, timeoutSeconds: 31 },
      { validate, timeoutSeconds: 0 },
      { validate, sideEffects: "Some" },
      { validate, operations: [] },
      { validate, name: "Not A Label" },
      { validate, valdiate: validate },
      {},
    ]) {
      expect(define(options), JSON.stringify(options)).toThrow(KubeError);
    }
  });
});

describe("admission reviews over fetch", () => {
  const path = "/mutate-example-com-v1-shop";
  const webhookOf = (...args: Parameters<typeof admission<typeof Shop>>) =>
    createWebhook([admission(...args)], { onError: () => {} });

  test.each(["v1", "v1beta1"])(
    "CA1, CA32: answers %s with the version and uid of the request",
    async (version) => {
      const webhook = createWebhook([admission(Shop, { validate: () => undefined })]);
      const reply = await post(webhook, "/validate-example-com-v1-shop", {
        ...admissionReview({ object: shop }),
        apiVersion: `admission.k8s.io/${version}`,
      });
      expect(reply).toEqual({
        status: 200,
        body: {
          apiVersion: `admission.k8s.io/${version}`,
          kind: "AdmissionReview",
          response: { uid: "review-1", allowed: true },
        },
      });
    },
  );

  test("CA3, CA6: no change gives neither patch nor patchType", async () => {
    const reply = await post(
      webhookOf(Shop, { mutate: () => undefined }),
      path,
      admissionReview({ object: shop }),
    );
    expect(reviewOf(reply)).toEqual({ uid: "review-1", allowed: true });
    const allowing = createWebhook([admission(Shop, { validate: ({ allow }) => allow() })]);
    const allowed = await post(
      allowing,
      "/validate-example-com-v1-shop",
      admissionReview({ object: shop }),
    );
    expect(reviewOf(allowed)).toEqual({ uid: "review-1", allowed: true });
  });

  test("CA6, CA7: large integers, unknown fields and keys with / and ~ survive a mutation", async () => {
    const text =
      '{"metadata":{"name":"tea","annotations":{"a/b~c":"1"}},"spec":{"big":9007199254740993123,"new":{"x":1.5}}}';
    const webhook = webhookOf(Shop, {
      mutate(draft) {
        draft.metadata.annotations = { ...draft.metadata.annotations, "a/b~c": "2", "d/e": "3" };
      },
    });
    const body = JSON.stringify(admissionReview({ object: "OBJECT" as never }));
    const reply = await post(webhook, path, body.replace('"OBJECT"', text));
    const { patch, patchType } = reviewOf(reply);
    const operations = await codecs.json.decode(Buffer.from(String(patch), "base64"));
    expect(patchType).toBe("JSONPatch");
    expect(operations).toEqual([
      { op: "replace", path: "/metadata/annotations/a~1b~0c", value: "2" },
      { op: "add", path: "/metadata/annotations/d~1e", value: "3" },
    ]);
    const before = (await codecs.json.decode(Buffer.from(text))) as KubeObject;
    expect(applyJsonPatch(before, operations as never)).toMatchObject({
      spec: { big: 9007199254740993123n, new: { x: 1.5 } },
    });
  });

  test("CA7: a mutator can set a number beyond 2^53", async () => {
    const webhook = webhookOf(Shop, {
      mutate(draft) {
        Object.assign(draft, { spec: { big: 2n ** 63n - 1n } });
      },
    });
    const { patch } = reviewOf(await post(webhook, path, admissionReview({ object: shop })));
    expect(Buffer.from(String(patch), "base64").toString()).toContain(":9223372036854775807");
  });

  test("CA4: warnings travel with a denial; a thrown KubeError gives its Status", async () => {
    const status = { status: "Failure", reason: "Conflict", message: "taken", code: 409 };
    const webhook = webhookOf(Shop, {
      mutate(_, { warn }) {
        warn("careful");
        throw new KubeError("Conflict", "taken", { status });
      },
    });
    const thrown = reviewOf(await post(webhook, path, admissionReview({ object: shop })));
    expect(thrown).toEqual({ uid: "review-1", allowed: false, status });
    const denied = reviewOf(
      await post(
        webhookOf(Shop, {
          mutate(_, { warn, deny }) {
            warn("careful");
            return deny("no");
          },
        }),
        path,
        admissionReview({ object: shop }),
      ),
    );
    expect(denied).toMatchObject({ allowed: false, warnings: ["careful"] });
  });

  test("CA5, CA30: another error is a denial with 500 and without a stack, and is counted", async () => {
    const panics: unknown[] = [];
    const outcomes: unknown[] = [];
    const errors: string[] = [];
    const webhook = createWebhook(
      [
        admission(Shop, {
          validate() {
            throw new TypeError("x is not a function");
          },
        }),
      ],
      {
        onError: ({ message }) => errors.push(message),
        observer: {
          onPanic: ({ webhook }) => panics.push(webhook),
          onReview: ({ code, outcome }) => outcomes.push([code, outcome]),
        },
      },
    );
    const validatePath = "/validate-example-com-v1-shop";
    const { body } = await post(webhook, validatePath, admissionReview({ object: shop }));
    const text = JSON.stringify(body);
    expect(text).toContain("the webhook failed: x is not a function");
    expect(text).not.toContain("at ");
    expect(body).toMatchObject({ response: { allowed: false, status: { code: 500 } } });
    expect([panics, outcomes]).toEqual([[validatePath], [[200, "failed"]]]);
    expect(errors).toEqual([`a handler of ${validatePath} failed`]);
    expect((await post(webhook, validatePath, admissionReview({ object: shop }))).status).toBe(200);
  });

  test("CA10, CA30: advice is given once; reviews are observed, also by an observer that throws", async () => {
    const errors: string[] = [];
    const seen: unknown[] = [];
    const clock = manualClock();
    const warner = admission(Shop, {
      validate({ warn }) {
        clock.advance(25);
        warn("x".repeat(121));
      },
    });
    const webhook = createWebhook([warner], {
      clock,
      onError: ({ message }) => errors.push(message),
      observer: {
        onStart: (start) => seen.push(start),
        onReview(end) {
          seen.push(end);
          throw new Error("no metrics");
        },
      },
    });
    const name = "/validate-example-com-v1-shop";
    for (let n = 0; n < 2; n += 1) {
      const { status } = await post(webhook, name, admissionReview({ object: shop }));
      expect(status).toBe(200);
    }
    expect(seen.slice(0, 2)).toEqual([
      { webhook: name, traceparent: undefined },
      { webhook: name, code: 200, outcome: "allowed", durationMs: 25 },
    ]);
    const advice = errors.filter((message) => message.includes("more than 120 characters"));
    expect([advice.length, errors.length, clock.pending]).toEqual([1, 3, 0]);
  });

  test("CA5: with failurePolicy Ignore an error is no review, so that the server admits the request", async () => {
    const webhook = webhookOf(Shop, {
      failurePolicy: "Ignore",
      mutate() {
        throw new Error("down");
      },
    });
    const { status, body } = await post(webhook, path, admissionReview({ object: shop }));
    expect([status, body["kind"]]).toEqual([500, "Status"]);
  });

  test.each([
    ["?timeout=3s", 2_900],
    ["", 9_900],
  ])("CA13: the signal aborts 100 ms before the server stops waiting (%s)", async (query, ms) => {
    const clock = manualClock();
    let aborted: unknown;
    let begun = () => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const handler = admission(Shop, {
      validate({ signal }) {
        begun();
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted = signal.reason;
            reject(signal.reason);
          });
        });
      },
    });
    const webhook = createWebhook([handler], { clock, onError: () => {} });
    const reply = post(
      webhook,
      `/validate-example-com-v1-shop${query}`,
      admissionReview({ object: shop }),
    );
    await started;
    clock.advance(ms - 1);
    expect(aborted).toBeUndefined();
    clock.advance(1);
    expect(reviewOf(await reply)).toMatchObject({
      allowed: false,
      status: { code: 504, reason: "Timeout" },
    });
    expect([aborted, clock.pending]).toEqual([expect.any(KubeError), 0]);
  });

  test("CA2: a body that is not a review gets 400 with a Status", async () => {
    const webhook = webhookOf(Shop, { mutate: () => undefined });
    const bad: [string | Uint8Array, string?][] = [
      [JSON.stringify(admissionReview({ object: shop })), "text/plain"],
      [""],
      ["{"],
      ['{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}'],
      [JSON.stringify({ ...admissionReview({ object: shop }), apiVersion: "v1" })],
    ];
    for (const [body, contentType] of bad) {
      const { status, body: reply } = await post(webhook, path, body, contentType);
      expect([status, reply["kind"], reply["reason"]]).toEqual([400, "Status", "BadRequest"]);
    }
    const response = await webhook.fetch(new Request(`https://localhost${path}`));
    expect([response.status, (await post(webhook, "/other", "{}")).status]).toEqual([405, 404]);
  });

  test("CA2: a body above 7 MiB gets 413", async () => {
    const webhook = webhookOf(Shop, { mutate: () => undefined });
    const { status } = await post(webhook, path, Buffer.alloc(7 * 1024 * 1024 + 1, 32));
    expect(status).toBe(413);
  });

  test("CA9: reviews of a subresource have the type of its body", async () => {
    const seen: unknown[] = [];
    const scales = admission(Pod, {
      subresource: "eviction",
      operations: ["CREATE"],
      validate({ object, subresource }) {
        seen.push([object.kind, subresource]);
      },
    });
    await post(
      createWebhook([scales]),
      "/validate--v1-pod-eviction",
      admissionReview({ object: { kind: "Eviction" }, subResource: "eviction" }),
    );
    expect(seen).toEqual([["Eviction", "eviction"]]);
  });

  test("CA8: two handlers with one path are refused", () => {
    const one = admission(Shop, { validate: () => undefined });
    expect(() => createWebhook([one, one])).toThrow("give one of them another name");
  });

  test("CA32: reads a reply as JSON", async () => {
    const webhook = webhookOf(Shop, { mutate: () => undefined });
    const response = await webhook.fetch(
      new Request(`https://localhost${path}`, {
        method: "POST",
        body: JSON.stringify(admissionReview({ object: shop })),
        headers: { "content-type": "application/json; charset=utf-8" },
      }),
    );
    expect(response.headers.get("content-type")).toBe("application/json");
    expect((await readReply(response)).status).toBe(200);
  });
});
