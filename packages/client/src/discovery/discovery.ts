import type { ResourceDescriptor } from "@typekube/api";
import { isNotFound, KubeError, parseApiVersion } from "@typekube/core";
import { monotonicNow, withoutCallScope } from "@typekube/core/internal";
import { assertCallOptionNames } from "../options/any-call-options.js";
import { assertCallOptions, type CallOptions } from "../options/call-options.js";
import type { CallContext } from "../request/call-context.js";
import { requestObject } from "../request/request-object.js";
import { groupVersionPath } from "../request/resource-path.js";
import type { KindReference } from "../types/kind-reference.js";
import { abortable } from "./abortable.js";
import { fromResourceList } from "./api-resources.js";
import { findByCategory, findByName } from "./find-by-name.js";
import {
  drop,
  inOrder,
  isDoubted,
  type Known,
  keyOf,
  knownFrom,
  ofKind,
} from "./known-resources.js";
import { nameNotServed, notServed } from "./not-served.js";
import { RevalidatedReads } from "./revalidated.js";
import {
  type DiscoveredResource,
  type RootResponse,
  readRoot,
  type ServedApi,
} from "./served-api.js";

/**
 * Accepts the aggregated form as v2 (1.30 and later) or v2beta1 (1.26 to 1.34), then the older form. v2 and v2beta1 are
 * read the same way.
 */
const aggregatedAccept = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(", ");

/** Milliseconds between two rounds that look for a missing kind, so that a missing kind does not flood the server. */
export const rediscoverAfterMs = 5_000;

/** Maximum concurrent group-version requests in the older form. */
const requestsAtOnce = 8;

/**
 * Finds out which resources a server serves. Sends requests on first use: two where the server supports the aggregated
 * form (1.26 and later), otherwise one for each group-version that is needed. Looks for a missing kind again, since it
 * may just have been installed. Unchanged documents are not sent again.
 */
export class Discovery {
  readonly #context: CallContext;
  readonly #reads: RevalidatedReads;
  #known: Known | undefined;
  #loading: Promise<Known> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(context: CallContext) {
    this.#context = context;
    this.#reads = new RevalidatedReads(context);
  }

  /**
   * Finds a resource by apiVersion and kind, or by a name: plural, singular, kind or short name, optionally with its
   * group, or with version and group. Without a version it returns the server's preferred version.
   *
   * @example
   * ```ts
   * const deployments = await client.discovery.find("deploy");
   * const list = await client.resource(deployments, "prod").list();
   * ```
   *
   * @throws {KubeError} `NotFound` naming the group-version, kind or name that the server does not serve;
   * `InvalidArgument` with the candidates for an ambiguous name, and for a value that is neither a name nor a kind.
   */
  async find(
    wanted: KindReference | string,
    options: CallOptions = {},
  ): Promise<DiscoveredResource> {
    assertOptions(options);
    if (typeof wanted === "string") {
      return this.#findName(wanted, options);
    }
    if (typeof wanted?.apiVersion !== "string" || typeof wanted.kind !== "string") {
      throw new KubeError("InvalidArgument", "pass a name, or an object with apiVersion and kind");
    }
    return this.#findKind(wanted, options);
  }

  /**
   * Returns the resources of a category such as `all`, each in its preferred version. The result is empty when no
   * resource belongs to the category.
   *
   * @example
   * ```ts
   * for (const { plural } of await client.discovery.findAll("all")) console.log(plural);
   * ```
   */
  async findAll(category: string, options: CallOptions = {}): Promise<DiscoveredResource[]> {
    return findByCategory((await this.served(options)).resources, category);
  }

  /**
   * Returns everything that the server serves. Requests it again when the known data is older than five seconds. A
   * group whose server does not respond is listed in `failed`; the other groups are complete.
   */
  async served(options: CallOptions = {}): Promise<ServedApi> {
    assertOptions(options);
    const known = await this.#recent(options);
    const resources = await this.#allOf(known, options);
    return { groups: known.groups, resources, failed: [...known.failed.values()] };
  }

  /** Discards all discovery data, except documents that the server can confirm as unchanged. */
  invalidate(): void {
    this.#known = undefined;
    // The server may have responded to the pending round earlier: callers that already wait receive its result, later
    // callers do not.
    this.#loading = undefined;
    this.#loadedAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Marks a resource as doubtful, because the server has responded that its path does not exist. The next lookup
   * requests it again, at most once in five seconds. A resource that the server still lists then is kept.
   */
  forget({
    group,
    version,
    plural,
  }: Pick<ResourceDescriptor, "group" | "plural" | "version">): void {
    for (const [key, one] of this.#known?.resources ?? []) {
      if (one.group === group && one.version === version && one.plural === plural) {
        this.#known?.doubted.add(key);
      }
    }
  }

  async #findKind(reference: KindReference, options: CallOptions): Promise<DiscoveredResource> {
    const before = this.#known && ofKind(this.#known, reference);
    if (before && this.#known && !isDoubted(this.#known, before)) {
      return before;
    }
    const known = await this.#recent(options);
    const late = ofKind(known, reference);
    if (late === undefined || isDoubted(known, late)) {
      await this.#askOnce(known, reference.apiVersion, options);
    }
    const found = ofKind(known, reference);
    if (found === undefined) {
      throw await notServed(reference, known.resources.values());
    }
    return found;
  }

  async #findName(name: string, options: CallOptions): Promise<DiscoveredResource> {
    const before = this.#known ?? (await this.#load(options));
    const found = findByName(await this.#allOf(before, options), name);
    if (found && !isDoubted(before, found)) {
      return found;
    }
    if (found === undefined && !this.#isOld()) {
      throw nameNotServed(name, before.failed.keys());
    }
    const known = await this.#recent(options);
    if (found && isDoubted(known, found)) {
      await this.#askOnce(known, found.apiVersion, options);
    }
    const late = findByName(await this.#allOf(known, options), name);
    if (late === undefined) {
      throw nameNotServed(name, known.failed.keys());
    }
    return late;
  }

  /**
   * Returns every resource. In the older form it requests each group-version; one that fails does not affect the
   * others.
   */
  async #allOf(known: Known, options: CallOptions): Promise<DiscoveredResource[]> {
    const left = [...known.undiscovered];
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await this.#askOnce(known, next, options).catch(() => options.signal?.throwIfAborted());
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, work));
    return inOrder(known);
  }

  /** Returns the discovery data, requested again when older than five seconds. */
  async #recent(options: CallOptions): Promise<Known> {
    return this.#known && !this.#isOld() ? this.#known : this.#load(options);
  }

  #isOld(): boolean {
    return monotonicNow(this.#context.clock) - this.#loadedAt > rediscoverAfterMs;
  }

  /**
   * Loads the discovery data. Concurrent callers share one round. Its requests belong to all of them, so no single
   * signal ends it.
   */
  async #load(options: CallOptions): Promise<Known> {
    options.signal?.throwIfAborted();
    // All callers share the round, so it must not end with the code that happens to start it.
    this.#loading ??= withoutCallScope(() => this.#startRound());
    return abortable(this.#loading, options.signal);
  }

  /** Starts a round. Keeps its result unless `invalidate()` was called in the meantime. */
  #startRound(): Promise<Known> {
    const round = this.#fetch().then(
      (known) => {
        if (this.#loading === round) {
          this.#loading = undefined;
          this.#known = known;
          this.#loadedAt = monotonicNow(this.#context.clock);
        }
        return known;
      },
      (error: unknown) => {
        if (this.#loading === round) {
          this.#loading = undefined;
        }
        throw error;
      },
    );
    return round;
  }

  async #fetch(): Promise<Known> {
    const responses = await Promise.all([this.#root("/api"), this.#root("/apis")]);
    return knownFrom(responses.filter((response) => response !== undefined));
  }

  async #root(path: string): Promise<RootResponse | undefined> {
    try {
      return readRoot(await this.#reads.get(path, aggregatedAccept));
    } catch (error) {
      // An extension API server that the client connects to directly may have no /api.
      if (isNotFound(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Requests one group-version in the older form, once per round. Old servers have no other form; on newer servers it
   * is the first to list a kind that was just installed. The response replaces the known data of the group-version.
   */
  async #askOnce(known: Known, apiVersion: string, options: CallOptions): Promise<void> {
    options.signal?.throwIfAborted();
    let round = known.rounds.get(apiVersion);
    if (round === undefined) {
      round = withoutCallScope(() => this.#fetchGroupVersion(known, apiVersion));
      known.rounds.set(apiVersion, round);
      round.catch((error: unknown) => {
        known.rounds.delete(apiVersion);
        if (known.undiscovered.includes(apiVersion)) {
          known.failed.set(apiVersion, { apiVersion, error: KubeError.from(error) });
        }
      });
    }
    await abortable(round, options.signal);
  }

  async #fetchGroupVersion(known: Known, apiVersion: string): Promise<void> {
    const home = parseApiVersion(apiVersion);
    try {
      const path = groupVersionPath(home);
      const list = await requestObject(this.#context, { method: "GET", path, options: {} });
      drop(known, apiVersion);
      for (const descriptor of fromResourceList(home, list)) {
        const resource = descriptor as DiscoveredResource;
        known.resources.set(keyOf(resource), resource);
      }
      known.failed.delete(apiVersion);
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
      drop(known, apiVersion);
    }
  }
}

function assertOptions(options: CallOptions): void {
  assertCallOptions(options);
  assertCallOptionNames(options);
}
