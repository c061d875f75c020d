import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@typekube/api/admissionregistration/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { KubeError } from "typekube";
import type { ConformanceContext } from "../conformance-case.js";
import { configMap } from "./objects.js";
import { type Review, type ReviewReply, startReviewWebhook } from "./review-webhook.js";
import { until } from "./until.js";

/** Fields of a webhook that a case sets; the others are those of a webhook for ConfigMaps that are created. */
export type HookFields = Readonly<Record<string, unknown>>;

/** Registered webhooks of a case, and the reviews that they have received. */
export interface Hooks extends AsyncDisposable {
  readonly reviews: readonly Review[];
  /** Paths of the reviews, in order. */
  readonly paths: readonly string[];
}

/** Label of objects for which only the probe is called. */
const probed = "probe-of-case";

/**
 * Registers webhooks `/0`, `/1` and so on for the namespace of the case, and waits until the server calls them.
 *
 * @param hooks - fields of each webhook.
 */
export async function registerHooks(
  context: ConformanceContext,
  type: "mutating" | "validating",
  hooks: readonly HookFields[],
  reply: ReviewReply,
): Promise<Hooks> {
  const { client, namespace } = context;
  const received: { readonly review: Review; readonly path: string }[] = [];
  let isActive = false;
  const webhook = await startReviewWebhook((review, path) => {
    if (path === "/probe") {
      isActive = true;
      return { allowed: true };
    }
    received.push({ review, path });
    return reply(review, path);
  });
  const { url, caBundle } = webhook.clientConfig;
  const at = (path: string) => ({ url: url.replace("/review", path), caBundle });
  const only = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
  const configurations = client.resource(
    type === "mutating" ? MutatingWebhookConfiguration : ValidatingWebhookConfiguration,
  );
  await configurations.create({
    metadata: { name: namespace },
    webhooks: [
      // The first one, so that no other can end the request before it.
      {
        ...plain("probe"),
        clientConfig: at("/probe"),
        namespaceSelector: only,
        objectSelector: { matchLabels: { [probed]: "yes" } },
        sideEffects: "None" as const,
      },
      ...hooks.map((fields, index) => ({
        ...plain(`hook-${index}`),
        clientConfig: at(`/${index}`),
        namespaceSelector: only,
        ...fields,
      })),
    ],
  });
  await until(context, async () => {
    const probe = configMap("probe", {}, { [probed]: "yes" });
    // The webhooks after the probe may deny it, or fail.
    await client.resource(ConfigMap, namespace).create(probe, { dryRun: "All" }).catch(ignore);
    return isActive;
  });
  received.length = 0;
  let isGone = false;
  return {
    get reviews() {
      return received.map(({ review }) => review);
    },
    get paths() {
      return received.map(({ path }) => path);
    },
    async [Symbol.asyncDispose]() {
      if (isGone) {
        return;
      }
      isGone = true;
      await configurations.delete(namespace);
      await webhook[Symbol.asyncDispose]();
    },
  };
}

function ignore(): void {}

function plain(name: string) {
  return {
    name: `${name}.typekube.dev`,
    admissionReviewVersions: ["v1"],
    sideEffects: "None" as const,
    rules: [coreRule(["configmaps"])],
  };
}

/** Returns a rule for core resources. */
export function coreRule(
  resources: readonly string[],
  operations: readonly ("CONNECT" | "CREATE" | "DELETE" | "UPDATE")[] = ["CREATE"],
  more: object = {},
) {
  return {
    apiGroups: [""],
    apiVersions: ["v1"],
    operations: [...operations],
    resources: [...resources],
    ...more,
  };
}

/** Returns the response with a JSON patch. */
export function patching(...operations: readonly object[]): object {
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  return { allowed: true, patch, patchType: "JSONPatch" };
}

/** Returns code, reason and message of a rejection. */
export async function rejection(
  write: Promise<unknown>,
): Promise<readonly [code: number | undefined, reason: string | undefined, message: string]> {
  try {
    await write;
  } catch (error) {
    if (error instanceof KubeError && error.status !== undefined) {
      const { code, reason, message = "" } = error.status;
      return [code, reason, message];
    }
    throw error;
  }
  throw new Error("the server accepted the request");
}
