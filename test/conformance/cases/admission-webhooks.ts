import assert from "node:assert/strict";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@typekube/api/admissionregistration/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { rejectionCauses } from "../support/custom-resources.js";
import { configMap } from "../support/objects.js";
import { startReviewWebhook } from "../support/review-webhook.js";
import { until } from "../support/until.js";

type SideEffects = "None" | "NoneOnDryRun" | "Some" | "Unknown";

/** Cases for webhooks and dry runs. */
export const admissionWebhooks: readonly ConformanceCase[] = [
  {
    id: "DRY7",
    name: "a webhook whose sideEffects include dry runs cannot be registered",
    async run(context) {
      const nowhere = { url: "https://127.0.0.1:1/", caBundle: "" };
      for (const effects of ["Some", "Unknown"] as const) {
        const config = configuration(context, nowhere, effects);
        assert.deepEqual(
          await rejectionCauses(
            context.client.resource(ValidatingWebhookConfiguration).create(config),
          ),
          [
            `webhooks[0].sideEffects | FieldValueNotSupported | Unsupported value: "${effects}": supported values: "None", "NoneOnDryRun"`,
          ],
        );
      }
    },
  },
  {
    id: "DRY7-called",
    name: "a webhook without side effects on dry runs is called in a dry run, with dryRun set",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const received: unknown[] = [];
      await using webhook = await startReviewWebhook(({ request }) => {
        received.push(request["dryRun"]);
        return { allowed: true };
      });
      const configurations = client.resource(ValidatingWebhookConfiguration);
      const config = configuration(context, webhook.clientConfig, "NoneOnDryRun");
      await configurations.create(config);
      const configMaps = client.resource(ConfigMap, namespace);
      const dryRun = { dryRun: "All" } as const;
      await until(context, async () => {
        await configMaps.create(configMap("a"), dryRun);
        return received.length > 0;
      });
      await configMaps.create(configMap("b"));
      await configurations.delete(namespace);
      assert.equal(received[0], true);
      assert.equal(received.at(-1), false);
    },
  },
  {
    id: "MIG14",
    name: "the defaults of webhooks are those of admissionregistration.k8s.io/v1",
    async run(context) {
      const configurations = context.client.resource(MutatingWebhookConfiguration);
      const nowhere = { url: "https://127.0.0.1:1/", caBundle: "" };
      const created = await configurations.create(configuration(context, nowhere, "None"), {
        dryRun: "All",
      });
      const { failurePolicy, matchPolicy, timeoutSeconds, reinvocationPolicy, objectSelector } =
        created.webhooks?.[0] ?? {};
      assert.deepEqual(
        { failurePolicy, matchPolicy, timeoutSeconds, reinvocationPolicy, objectSelector },
        {
          failurePolicy: "Fail",
          matchPolicy: "Equivalent",
          timeoutSeconds: 10,
          reinvocationPolicy: "Never",
          objectSelector: {},
        },
      );
    },
  },
  {
    id: "MIG15",
    name: "webhooks need sideEffects, known review versions and unique names",
    async run(context) {
      const nowhere = { url: "https://127.0.0.1:1/", caBundle: "" };
      const { metadata, webhooks } = configuration(context, nowhere, "None");
      const [webhook] = webhooks;
      const configurations = context.client.resource(ValidatingWebhookConfiguration);
      const causes = (...changed: readonly object[]) =>
        rejectionCauses(
          configurations.create(
            { metadata, webhooks: changed.map((more) => ({ ...webhook, ...more })) as never },
            { dryRun: "All" },
          ),
        );
      assert.deepEqual(await causes({ sideEffects: undefined }), [
        "webhooks[0].sideEffects | FieldValueRequired | Required value: must specify one of None, NoneOnDryRun",
      ]);
      assert.deepEqual(await causes({ admissionReviewVersions: ["v9"] }), [
        'webhooks[0].admissionReviewVersions | FieldValueInvalid | Invalid value: ["v9"]: must include at least one of v1, v1beta1',
      ]);
      assert.deepEqual(await causes({}, {}), [
        'webhooks[1].name | FieldValueDuplicate | Duplicate value: "config-maps.typekube.dev"',
      ]);
    },
  },
];

/** Returns a configuration with a webhook for the case's ConfigMaps. */
function configuration(
  { namespace }: ConformanceContext,
  clientConfig: { readonly url: string; readonly caBundle: string },
  sideEffects: SideEffects,
) {
  return {
    metadata: { name: namespace },
    webhooks: [
      {
        name: "config-maps.typekube.dev",
        admissionReviewVersions: ["v1"],
        sideEffects: sideEffects as "None",
        clientConfig,
        rules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["CREATE" as const],
            resources: ["configmaps"],
          },
        ],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      },
    ],
  };
}
