import { Lease } from "@typekube/api/coordination/v1";
import { Namespace, Pod } from "@typekube/api/core/v1";
import { admission, type WebhookHandler } from "@typekube/controller";
import { describe, expect, test } from "vitest";
import { sortHandlers } from "../../src/webhook/endpoint/create-webhook.js";
import { assertHarmless } from "../../src/webhook/registration/assert-harmless.js";
import {
  type ConfigurationContext,
  conversionStrategy,
  mutatingConfiguration,
  validatingConfiguration,
} from "../../src/webhook/registration/configurations.js";
import { contains } from "../../src/webhook/registration/contains.js";
import { Shop } from "../shop.js";

const run = () => undefined;
const context: ConfigurationContext = {
  name: "shop-hooks",
  place: { service: { name: "shop-hooks", namespace: "shops", port: 443 } },
  ca: "PEM",
  injectCaFrom: undefined,
  ownUser: undefined,
};
const admissionsOf = (handler: WebhookHandler) => sortHandlers([handler]).admissions;
const webhookOf = (handler: WebhookHandler, more: Partial<ConfigurationContext> = {}) =>
  validatingConfiguration(admissionsOf(handler), { ...context, ...more }).webhooks?.[0];

describe("webhook configurations", () => {
  test("CA14: mutators have the defaults Fail, Equivalent, Never, v1 and 10 s", () => {
    const handler = admission(Shop, {
      mutate: run,
      validate: run,
      operations: ["CREATE", "DELETE"],
    });
    expect(mutatingConfiguration(admissionsOf(handler), context)).toEqual({
      metadata: { name: "shop-hooks" },
      webhooks: [
        {
          name: "mutate.shop.example.com",
          clientConfig: {
            service: {
              name: "shop-hooks",
              namespace: "shops",
              port: 443,
              path: "/mutate-example-com-v1-shop",
            },
            caBundle: Buffer.from("PEM").toString("base64"),
          },
          rules: [
            {
              operations: ["CREATE"],
              apiGroups: ["example.com"],
              apiVersions: ["v1"],
              resources: ["shops"],
              scope: "Namespaced",
            },
          ],
          failurePolicy: "Fail",
          matchPolicy: "Equivalent",
          reinvocationPolicy: "Never",
          sideEffects: "None",
          timeoutSeconds: 10,
          admissionReviewVersions: ["v1"],
        },
      ],
    });
    expect(webhookOf(handler)?.rules?.[0]?.operations).toEqual(["CREATE", "DELETE"]);
  });

  test("CA15: selectors and conditions are as given, in the form of the API", () => {
    const matchConditions = [{ name: "big", expression: "object.spec.replicas > 5" }];
    const webhook = webhookOf(
      admission(Shop, {
        validate: run,
        subresource: "status",
        matchConditions,
        objectSelector: { tier: "gold" },
        namespaceSelector: "env in (a,b),!old",
        namespaces: ["prod"],
        excludeNamespaces: ["kube-system"],
      }),
    );
    expect(webhook).toMatchObject({
      matchConditions,
      objectSelector: {
        matchExpressions: [{ key: "tier", operator: "In", values: ["gold"] }],
      },
      namespaceSelector: {
        matchExpressions: [
          { key: "env", operator: "In", values: ["a", "b"] },
          { key: "old", operator: "DoesNotExist" },
          { key: "kubernetes.io/metadata.name", operator: "In", values: ["prod"] },
          { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system"] },
        ],
      },
      rules: [{ resources: ["shops/status"] }],
    });
    const compared = admission(Shop, { validate: run, objectSelector: "size>3" });
    expect(() => webhookOf(compared)).toThrow("cannot compare size");
  });

  test("CA16: a webhook that can block its own start or the cluster's is refused, with the way out", () => {
    const check = (handler: WebhookHandler) => () => {
      for (const one of admissionsOf(handler)) {
        assertHarmless(one, "shops");
      }
    };
    expect(check(admission(Shop, { validate: run }))).not.toThrow();
    expect(check(admission(Namespace, { validate: run }))).not.toThrow();
    expect(check(admission(Lease, { validate: run }))).toThrow("dangerous: true");
    expect(check(admission(Pod, { validate: run }))).toThrow(
      'reviews kube-system and shops, where it can block its own start: set excludeNamespaces: ["kube-system","shops"]',
    );
    for (const options of [
      { excludeNamespaces: ["kube-system", "shops"] },
      { namespaces: ["prod"] },
      { namespaceSelector: { hooks: "on" } },
      { dangerous: true },
    ]) {
      expect(check(admission(Pod, { validate: run, ...options }))).not.toThrow();
    }
    expect(check(admission(Lease, { validate: run, dangerous: true }))).not.toThrow();
  });

  test("CA16: our own service account is excluded from webhooks of built-in kinds", () => {
    const ownUser = "system:serviceaccount:shops:operator";
    const expression = `request.userInfo.username != "${ownUser}"`;
    const pods = admission(Pod, { validate: run, dangerous: true });
    expect(webhookOf(pods, { ownUser })?.matchConditions?.[0]).toMatchObject({ expression });
    expect(webhookOf(admission(Shop, { validate: run }), { ownUser })?.matchConditions).toBe(
      undefined,
    );
  });

  test("CA25: with cert-manager's injector the configuration has its annotation and no CA", () => {
    const injected = { ca: undefined, injectCaFrom: "shops/hooks" };
    const { metadata, webhooks } = validatingConfiguration(
      admissionsOf(admission(Shop, { validate: run })),
      { ...context, ...injected },
    );
    expect(metadata?.annotations).toEqual({ "cert-manager.io/inject-ca-from": "shops/hooks" });
    expect(webhooks?.[0]?.clientConfig).not.toHaveProperty("caBundle");
  });

  test("CA26, CC9: with a URL the paths follow it, and a definition gets the strategy Webhook", () => {
    const place = { url: "https://127.0.0.1:9443/" };
    expect(conversionStrategy({ ...context, place })).toEqual({
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: "https://127.0.0.1:9443/convert", caBundle: "UEVN" },
        conversionReviewVersions: ["v1"],
      },
    });
  });

  test("CA24: fields of others, defaults and other webhooks do not matter; a changed field of ours does", () => {
    const ours = validatingConfiguration(admissionsOf(admission(Shop, { validate: run })), context);
    const [webhook] = ours.webhooks ?? [];
    const foreign = { name: "x.example.org", clientConfig: {} };
    const live = { ...ours, webhooks: [foreign, { ...webhook, objectSelector: {} }] };
    expect(contains(live, ours)).toBe(true);
    expect(contains({ ...live, webhooks: [foreign] }, ours)).toBe(false);
    const wiped = { ...webhook, clientConfig: { ...webhook?.clientConfig, caBundle: "" } };
    expect(contains({ ...live, webhooks: [wiped] }, ours)).toBe(false);
    expect(contains({ ...live, webhooks: [{ ...webhook, rules: [] }] }, ours)).toBe(false);
  });
});
