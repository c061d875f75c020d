import type { ResourceDescriptor } from "@typekube/api";
import { isNotFound, KubeError, parseApiVersion } from "@typekube/core";
import type { Exchanging } from "../exchange.js";
import { exchangeObject } from "../exchange-object.js";
import type { CallOptions } from "../options.js";
import {
  type AggregatedDiscovery,
  type ApiResourceList,
  fromAggregated,
  fromResourceList,
} from "./api-resources.js";

const aggregatedAccept =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList, application/json";

/** Milliseconds between two rounds of looking for a kind that is not there: a missing kind must not flood a server. */
export const rediscoverAfterMs = 5_000;

/** The names that a resource is known by. */
export interface KindReference {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * What a server serves. Asked on first use, in two requests where the server has the aggregated form (1.26 and later), else
 * one request per group-version that is needed. A kind that is not there is looked for anew, since it may just have been
 * installed.
 */
export class Discovery {
  readonly #context: Exchanging;
  #known: Map<string, ResourceDescriptor> | undefined;
  #loading: Promise<Map<string, ResourceDescriptor>> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  /** In the older form: the group-versions that were asked for since the last round. */
  #groupVersions = new Map<string, Promise<void>>();

  constructor(context: Exchanging) {
    this.#context = context;
  }

  /**
   * The descriptor of a kind.
   *
   * @throws {KubeError} `NotFound` that names the group-version or the kind that the server does not serve.
   */
  async find(reference: KindReference, options: CallOptions = {}): Promise<ResourceDescriptor> {
    const known = this.#known?.get(key(reference));
    if (known) {
      return known;
    }
    const stale = this.#context.clock.now() - this.#loadedAt > rediscoverAfterMs;
    const resources = this.#known && !stale ? this.#known : await this.#load(options);
    const found =
      resources.get(key(reference)) ?? (await this.#findInGroupVersion(reference, options));
    if (found === undefined) {
      throw notServed(reference, resources);
    }
    return found;
  }

  /** Forgets everything. */
  invalidate(): void {
    this.#known = undefined;
    this.#loadedAt = Number.NEGATIVE_INFINITY;
  }

  /** Many callers at once share one round. Its requests belong to all of them, so no single signal ends it. */
  async #load(options: CallOptions): Promise<Map<string, ResourceDescriptor>> {
    options.signal?.throwIfAborted();
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined;
    });
    return abortable(this.#loading, options.signal);
  }

  async #fetch(): Promise<Map<string, ResourceDescriptor>> {
    const answers = await Promise.all([this.#aggregated("/api"), this.#aggregated("/apis")]);
    const descriptors = answers.flatMap((answer) => (answer ? fromAggregated(answer) : []));
    const known = new Map(descriptors.map((descriptor) => [key(descriptor), descriptor]));
    this.#known = known;
    this.#groupVersions = new Map();
    this.#loadedAt = this.#context.clock.now();
    return known;
  }

  /** The aggregated form of `/api` or `/apis`; `undefined` when the server answers in the older one. */
  async #aggregated(path: string): Promise<AggregatedDiscovery | undefined> {
    try {
      const answer = await exchangeObject(this.#context, {
        method: "GET",
        path,
        accept: aggregatedAccept,
        options: {},
      });
      return (answer as { kind?: string }).kind === "APIGroupDiscoveryList"
        ? (answer as AggregatedDiscovery)
        : undefined;
    } catch (error) {
      // An aggregated API server of its own may have no /api at all.
      if (isNotFound(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Asks for one group-version in the older form: the only one that an old server has, and on others the first that tells of a
   * kind that was installed a moment ago.
   */
  async #findInGroupVersion(
    reference: KindReference,
    options: CallOptions,
  ): Promise<ResourceDescriptor | undefined> {
    options.signal?.throwIfAborted();
    const { apiVersion } = reference;
    const rounds = this.#groupVersions;
    let round = rounds.get(apiVersion);
    if (round === undefined) {
      round = this.#fetchGroupVersion(apiVersion);
      rounds.set(apiVersion, round);
      round.catch(() => rounds.delete(apiVersion));
    }
    await abortable(round, options.signal);
    return this.#known?.get(key(reference));
  }

  async #fetchGroupVersion(apiVersion: string): Promise<void> {
    const home = parseApiVersion(apiVersion);
    const root = home.group === "" ? "/api" : `/apis/${home.group}`;
    try {
      const path = `${root}/${home.version}`;
      const list = await exchangeObject(this.#context, { method: "GET", path, options: {} });
      for (const descriptor of fromResourceList(home, list as ApiResourceList)) {
        this.#known?.set(key(descriptor), descriptor);
      }
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
    }
  }
}

function key({ apiVersion, kind }: KindReference): string {
  return `${apiVersion} ${kind}`;
}

function notServed(
  { apiVersion, kind }: KindReference,
  resources: ReadonlyMap<string, ResourceDescriptor>,
): KubeError {
  const kinds = [...resources.values()]
    .filter((descriptor) => descriptor.apiVersion === apiVersion)
    .map((descriptor) => descriptor.kind);
  const elsewhere = [...resources.values()]
    .filter((descriptor) => descriptor.kind === kind)
    .map((descriptor) => descriptor.apiVersion);
  const known =
    elsewhere.length > 0
      ? `it serves ${kind} in ${elsewhere.join(", ")}`
      : kinds.length > 0
        ? `it serves ${kinds.sort().join(", ")} there`
        : `it does not serve ${apiVersion} at all`;
  return new KubeError("NotFound", `this server does not serve ${kind} in ${apiVersion}`, {
    hint: `${known}; a custom kind needs its CustomResourceDefinition first`,
  });
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return promise;
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
