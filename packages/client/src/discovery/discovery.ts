import type { ResourceDescriptor } from "@typekube/api";
import { formatApiVersion, isNotFound, KubeError, parseApiVersion } from "@typekube/core";
import { monotonicNow } from "@typekube/core/internal";
import { assertCallOptions } from "../call-options.js";
import { exchangeObject } from "../exchange-object.js";
import type { Exchanging } from "../exchanging.js";
import { assertCallOptionNames } from "../known-options.js";
import type { CallOptions } from "../options.js";
import { groupVersionPath } from "../resource-path.js";
import { abortable } from "./abortable.js";
import { fromResourceList } from "./api-resources.js";
import { findByCategory, findByName } from "./find-by-name.js";
import type { KindReference } from "./kind-reference.js";
import { nameNotServed, notServed } from "./not-served.js";
import { RevalidatedReads } from "./revalidated.js";
import {
  type DiscoveredResource,
  type FailedGroup,
  type RootResponse,
  readRoot,
  type ServedApi,
  type ServedGroup,
} from "./served-api.js";

/** The aggregated form as 1.30 and later have it, as 1.26 to 1.34 do, and the older form; the first two read the same. */
const aggregatedAccept = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(", ");

/** Milliseconds between two rounds of looking for a kind that is not there: a missing kind must not flood a server. */
export const rediscoverAfterMs = 5_000;

/** Group-versions that are asked for at once in the older form. */
const requestsAtOnce = 8;

/** What is known of a server since the last round. */
interface Known {
  readonly groups: readonly ServedGroup[];
  /** By their places: several resources of one group-version may have one kind, as those of metrics have. */
  readonly resources: Map<string, DiscoveredResource>;
  /** Keys of `resources` whose path the server did not serve when it was asked for. */
  readonly doubted: Set<string>;
  readonly failed: Map<string, FailedGroup>;
  /** In the older form: the group-versions that were asked for. */
  readonly rounds: Map<string, Promise<void>>;
  /** Group-versions of which the roots did not tell what is in them. */
  readonly undiscovered: readonly string[];
}

/**
 * What a server serves. Asked on first use, in two requests where the server has the aggregated form (1.26 and later), else
 * one request per group-version that is needed. A kind that is not there is looked for anew, since it may just have been
 * installed; what has not changed is not sent again.
 */
export class Discovery {
  readonly #context: Exchanging;
  readonly #reads: RevalidatedReads;
  #known: Known | undefined;
  #loading: Promise<Known> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(context: Exchanging) {
    this.#context = context;
    this.#reads = new RevalidatedReads(context);
  }

  /**
   * The resource of a kind, or of a name as people write it: plural, singular, kind or short name, perhaps with its group or with
   * version and group. Without a version the server's preferred one is taken.
   *
   * @example
   * const deployments = await client.discovery.find("deploy");
   * const list = await client.resource(deployments, "prod").list();
   *
   * @throws {KubeError} `NotFound` that names the group-version, kind or name that the server does not serve; `InvalidArgument`
   * with the candidates for a name that means several, and for what names no kind.
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
   * The resources of a category such as `all`, each in its preferred version; none when nothing belongs to it.
   *
   * @example
   * for (const { plural } of await client.discovery.findAll("all")) console.log(plural);
   */
  async findAll(category: string, options: CallOptions = {}): Promise<DiscoveredResource[]> {
    return findByCategory((await this.served(options)).resources, category);
  }

  /**
   * Everything that the server serves, asked anew when what is known is older than five seconds. A group whose server does not
   * answer is among `failed` and takes nothing from the rest.
   */
  async served(options: CallOptions = {}): Promise<ServedApi> {
    assertOptions(options);
    const known = await this.#recent(options);
    const resources = await this.#allOf(known, options);
    return { groups: known.groups, resources, failed: [...known.failed.values()] };
  }

  /** Forgets everything, but for what the server may say is still the same. */
  invalidate(): void {
    this.#known = undefined;
    // What is under way may have been answered before: those who wait for it get it, nobody else does.
    this.#loading = undefined;
    this.#loadedAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Doubts what is known of one resource, because the server has just answered that there is no such path: who looks for it next
   * asks anew, at most once in five seconds. What the server still tells of then is kept.
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

  /** Every resource; in the older form each group-version is asked for, and one that fails takes nothing from the rest. */
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

  /** What is known, asked anew when it is older than five seconds. */
  async #recent(options: CallOptions): Promise<Known> {
    return this.#known && !this.#isOld() ? this.#known : this.#load(options);
  }

  #isOld(): boolean {
    return monotonicNow(this.#context.clock) - this.#loadedAt > rediscoverAfterMs;
  }

  /** Many callers at once share one round. Its requests belong to all of them, so no single signal ends it. */
  async #load(options: CallOptions): Promise<Known> {
    options.signal?.throwIfAborted();
    this.#loading ??= this.#startRound();
    return abortable(this.#loading, options.signal);
  }

  /** Begins a round. What it learns is kept unless everything was to be forgotten meanwhile. */
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
    const groups = responses.flatMap((response) => response?.groups ?? []);
    const resources = responses.flatMap((response) => response?.resources ?? []);
    const failed = responses.flatMap((response) => response?.failed ?? []);
    const undiscovered = responses
      .filter((response) => response?.isWhole === false)
      .flatMap((response) => response?.groups ?? [])
      .flatMap(({ name, versions }) =>
        versions.map((version) => formatApiVersion({ group: name, version })),
      );
    return {
      groups,
      resources: new Map(resources.map((resource) => [keyOf(resource), resource])),
      doubted: new Set(),
      failed: new Map(failed.map((one) => [one.apiVersion, one])),
      rounds: new Map(),
      undiscovered,
    };
  }

  async #root(path: string): Promise<RootResponse | undefined> {
    try {
      return readRoot(await this.#reads.get(path, aggregatedAccept));
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
   * kind that was installed a moment ago. What it says stands in place of what was known of the group-version.
   */
  async #askOnce(known: Known, apiVersion: string, options: CallOptions): Promise<void> {
    options.signal?.throwIfAborted();
    let round = known.rounds.get(apiVersion);
    if (round === undefined) {
      round = this.#fetchGroupVersion(known, apiVersion);
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
      const list = await exchangeObject(this.#context, { method: "GET", path, options: {} });
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

/** The resource of a kind; of several the first. */
function ofKind(
  { resources }: Known,
  { apiVersion, kind }: KindReference,
): DiscoveredResource | undefined {
  for (const one of resources.values()) {
    if (one.kind === kind && one.apiVersion === apiVersion) {
      return one;
    }
  }
  return undefined;
}

function isDoubted({ doubted }: Known, resource: DiscoveredResource): boolean {
  return doubted.has(keyOf(resource));
}

/** Takes out all that is known of a group-version. */
function drop({ resources, doubted }: Known, apiVersion: string): void {
  for (const [key, one] of resources) {
    if (one.apiVersion === apiVersion) {
      resources.delete(key);
      doubted.delete(key);
    }
  }
}

/** In the order of the groups and their versions, which requests in parallel do not keep. */
function inOrder({ groups, resources }: Known): DiscoveredResource[] {
  const places = groups.flatMap(({ name, versions }) =>
    versions.map((version) => formatApiVersion({ group: name, version })),
  );
  const placeOf = new Map(places.map((apiVersion, place) => [apiVersion, place]));
  const place = ({ apiVersion }: DiscoveredResource) => placeOf.get(apiVersion) ?? places.length;
  return [...resources.values()].sort((a, b) => place(a) - place(b));
}

function keyOf({ apiVersion, plural }: DiscoveredResource): string {
  return `${apiVersion} ${plural}`;
}
