import type { KubeObject } from "@typekube/api";
import type { Controller } from "@typekube/controller";
import {
  type LogEntry,
  type PlannedWrite,
  type RunEvent,
  runControllerOnce,
} from "@typekube/controller/internal";
import { KubeError } from "@typekube/core";
import type { ProjectedObject } from "@typekube/core/internal";
import { startApiServer } from "../api-server/start-api-server.js";
import { descriptorsOf, openDefinition } from "./open-definition.js";
import type { RunOutcome } from "./run-record.js";

/** Options of {@link reconcileOnce}. */
export interface ReconcileOnceOptions {
  /** Other objects that exist. Default: none. */
  readonly world?: readonly KubeObject[] | undefined;
  /** Definitions of custom kinds. Default: definitions that accept every object. */
  readonly definitions?: readonly object[] | undefined;
}

/** Result of one reconcile, as data. */
export interface ReconcileResult<T extends KubeObject = KubeObject> {
  readonly outcome: RunOutcome;
  readonly reason?: string | undefined;
  readonly requeueAfterMs?: number | undefined;
  readonly error?: Error | undefined;
  /** The writes in their order, with the objects as the server stored them. */
  readonly writes: readonly PlannedWrite[];
  readonly events: readonly RunEvent[];
  readonly log: readonly LogEntry[];
  /** The object afterwards; `undefined` when it is gone. */
  readonly object: T | undefined;
  /** Its status. */
  readonly status: unknown;
}

/** The whole object that a type with some fields stands for; any other type itself. */
type WholeOf<T extends KubeObject> =
  T extends ProjectedObject<infer Whole extends KubeObject> ? Whole : T;

const outcomes = {
  error: "failed",
  requeue: "notReady",
  requeue_after: "requeue",
  success: "success",
} as const;

/**
 * Reconciles one object once, in a world of given objects, and returns what that did. Names, uids and times are the same
 * each time, so the result can be a snapshot.
 *
 * @example
 * ```ts
 * const labels = defineController(ConfigMap, { reconcile: () => ({ requeueAfterMs: 60_000 }) });
 * const { outcome, writes } = await reconcileOnce(labels, { metadata: { name: "tea" }, data: {} });
 * ```
 *
 * @throws {KubeError} what creating the objects throws.
 */
export async function reconcileOnce<T extends KubeObject>(
  controller: Controller<T>,
  object: T | WholeOf<T>,
  { world = [], definitions }: ReconcileOnceOptions = {},
): Promise<ReconcileResult<WholeOf<T>>> {
  const untyped = controller as unknown as Controller;
  const { kind } = untyped.kind;
  await using api = await startApiServer({ clock: "virtual", seed: 1 });
  await using client = await api.client();
  const { resources } = await client.discovery.served();
  const served = new Set(resources.map((one) => `${one.apiVersion}/${one.kind}`));
  const missing = descriptorsOf(untyped).filter(
    (one) => !served.has(`${one.apiVersion}/${one.kind}`),
  );
  const unique = new Map(missing.map((one) => [`${one.plural}.${one.group}`, one]));
  await api.load((definitions ?? [...unique.values()].map(openDefinition)) as never);
  const typed = { apiVersion: kind.apiVersion, kind: kind.kind, ...object };
  for (const one of [...world, typed] as KubeObject[]) {
    await createWithStatus(client, one);
  }
  await api.settled();
  const { name, namespace = "default" } = object.metadata ?? {};
  if (name === undefined) {
    throw new KubeError("InvalidArgument", "the object has no metadata.name");
  }
  const { scope } = "plural" in kind ? kind : await client.discovery.find(kind);
  const key = scope === "Cluster" ? name : `${namespace}/${name}`;
  const options = { clock: api.clock, random: () => 0 };
  const {
    end,
    writes,
    events,
    log,
    object: after,
  } = await runControllerOnce(client, untyped, key, options);
  return {
    outcome: outcomes[end.result],
    ...(end.reason === undefined ? {} : { reason: end.reason }),
    ...(end.requeueAfterMs === undefined ? {} : { requeueAfterMs: end.requeueAfterMs }),
    ...(end.error === undefined ? {} : { error: end.error as Error }),
    writes,
    events,
    log,
    object: after as WholeOf<T> | undefined,
    status: (after as { readonly status?: unknown } | undefined)?.status,
  };
}

type Clientish = Awaited<ReturnType<Awaited<ReturnType<typeof startApiServer>>["client"]>>;

/** Creates an object, and then its status, which a create ignores where it is a subresource. */
async function createWithStatus(client: Clientish, object: KubeObject): Promise<void> {
  const { apiVersion = "", kind = "", metadata } = object;
  const resource = client.resource({ apiVersion, kind }, metadata?.namespace ?? "default");
  const created = await resource.create(object as never).catch(async (error: unknown) => {
    // A cluster-wide kind takes no namespace.
    if (error instanceof KubeError && error.code === "InvalidArgument") {
      return client.resource({ apiVersion, kind }).create(object as never);
    }
    throw error;
  });
  const { status } = object as { readonly status?: unknown };
  if (status !== undefined) {
    const place = created.metadata.namespace;
    const written = place === undefined ? client.resource({ apiVersion, kind }) : resource;
    await written.status.update(created.metadata.name, { ...created, status } as never);
  }
}
