import { isDeepStrictEqual } from "node:util";
import type { Live } from "@typekube/api";
import { compareResourceVersions, isComparableResourceVersion } from "@typekube/core";
import { randomFrom } from "@typekube/test-support/mixed-random";
import type { HandlerHandle, Informer, InformerOptions } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { differenceInOrder, differenceWithGaps } from "./event-log.js";
import { type FollowerName, followerNames } from "./faults/fault.js";
import { Tally } from "./faults/tally.js";
import { GapLog } from "./gap-log.js";
import { RebuiltState, type Seen } from "./rebuilt-state.js";
import type { StormPlan } from "./storm-plan.js";
import type { Way } from "./subject.js";
import { namespace } from "./writer.js";

/** Number of pages of the initial list, whose continue tokens can expire. */
const pages = 4;

const allFields = ["metadata", "data", "binaryData", "immutable"] as const;

/** An informer in a storm, with the handler that rebuilds its state. */
export class Follower implements AsyncDisposable {
  readonly name: FollowerName;
  readonly way: Way;
  readonly informer: Informer<ConfigMap>;
  readonly rebuilt = new RebuiltState();
  /** Errors that the informer reported, by code. */
  readonly errors = new Tally();
  /** Number of events that the handler received. */
  events = 0;
  /** Number of intervals between quiet points in which the handler received every step in order, without a relist. */
  inOrder = 0;
  #version = "";
  #setBacks: string[] = [];
  #disorders = 0;
  readonly #gaps = new GapLog();
  readonly #handle: HandlerHandle;
  #disturbances = 0;
  #wasFollowing = false;

  constructor(name: FollowerName, way: Way, { seed, objects }: StormPlan) {
    this.name = name;
    this.way = way;
    const reached = () => this.informer?.resourceVersion ?? "";
    const options = {
      namespace,
      streamingList: name === "streaming",
      encoding: name === "streaming" ? "json" : "auto",
      indexes: { write: valuesOf },
      random: randomFrom(seed + followerNames.indexOf(name)),
      ...(name === "listing" ? { pageSize: Math.max(1, Math.floor(objects / pages)) } : {}),
      ...way.informerOptions,
      onError: ({ code }) => this.errors.add(code),
      // The first state is reported before `this.informer` is assigned.
      onState: (state) => this.#gaps.entered(state, reached()),
    } satisfies InformerOptions<ConfigMap>;
    // Every second storm reads all fields of a ConfigMap by their names: the cache must be the same.
    this.informer =
      seed % 2 === 1
        ? (way.client.informer(ConfigMap, { ...options, fields: allFields }) as never)
        : way.client.informer(ConfigMap, options);
    this.#handle = this.informer.onChange(this.rebuilt.handler);
    way.onWatch((from) => this.#noteWatch(from));
  }

  /** `true` once the handler has received the initial objects. */
  get hasBegun(): boolean {
    return this.informer.isSynced && this.#handle.queued === 0;
  }

  /** Returns true when the cache has reached this resourceVersion and the handler has received everything up to it. */
  hasReached(version: string): boolean {
    const { resourceVersion } = this.informer;
    return (
      this.#handle.queued === 0 &&
      isComparableResourceVersion(resourceVersion) &&
      compareResourceVersions(resourceVersion, version) >= 0
    );
  }

  /** Returns problems that are wrong at any time: the informer's resourceVersion went back, or is behind the handler. */
  look(): string[] {
    const { resourceVersion } = this.informer;
    const problems = this.#setBacks.splice(0);
    for (const before of [this.#version, this.rebuilt.newest]) {
      if (isOlder(resourceVersion, before)) {
        problems.push(`${this.name}: is at ${resourceVersion} after ${before}`);
      }
    }
    this.#version = resourceVersion;
    return problems;
  }

  /** Notes a watch that starts before what was delivered: it repeats events, and its resourceVersion expires sooner. */
  #noteWatch(from: string): void {
    if (isOlder(from, this.rebuilt.newest)) {
      this.#setBacks.push(`${this.name}: watches from ${from} after ${this.rebuilt.newest}`);
    }
  }

  /** Returns the problems at a quiet point: in the cache, in the rebuilt state, and in the steps that led to it. */
  check(truth: ReadonlyMap<string, Live<ConfigMap>>, written: readonly Seen[]): string[] {
    const disorders = this.#takeDisorders();
    const isUndisturbed = !this.#wasDisturbed();
    const gaps = this.#gaps.take();
    const seen = this.rebuilt.takeSeen();
    this.events += seen.length;
    this.inOrder += isUndisturbed ? 1 : 0;
    const cached = new Map(this.informer.list().map((object) => [object.metadata.name, object]));
    const difference = isUndisturbed
      ? differenceInOrder(written, seen)
      : differenceWithGaps(written, seen, gaps, disorders);
    const problems = [
      ...this.rebuilt.takeProblems(),
      ...differences("the cache", cached, truth),
      ...differences("the state rebuilt by the handler", this.rebuilt.objects, truth),
      ...indexDifferences(this.informer, truth),
      ...(difference === undefined ? [] : [difference]),
    ];
    return problems.map((problem) => `${this.name}: ${problem}`);
  }

  #takeDisorders(): number {
    const before = this.#disorders;
    this.#disorders = this.way.requests.of("disorders");
    return this.#disorders - before;
  }

  /** Drops the events of the first snapshot, whose objects existed before. */
  begin(): string[] {
    this.#wasDisturbed();
    this.events += this.rebuilt.takeSeen().length;
    this.#gaps.take();
    this.rebuilt.begin();
    return this.rebuilt.takeProblems();
  }

  /**
   * Returns true if there was a relist or the server reordered events since the last call. A list that started earlier
   * counts in the interval in which it ends.
   */
  #wasDisturbed(): boolean {
    const { requests } = this.way;
    const before = this.#disturbances;
    const wasFollowing = this.#wasFollowing;
    this.#disturbances = requests.of("snapshots") + requests.of("disorders");
    this.#wasFollowing = this.informer.health.state === "watching";
    return this.#disturbances !== before || !wasFollowing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informer.close();
    await this.way.client.close();
  }
}

function isOlder(version: string, than: string): boolean {
  return than !== "" && compareResourceVersions(version, than) < 0;
}

/** Returns index values with many objects each: one depends on the last write, the other never changes. */
function valuesOf({ metadata, data }: Live<ConfigMap>): string[] {
  return [`write ${Number(data?.["write"]) % 7}`, `name ${metadata.name.length}`];
}

function indexDifferences(
  informer: Informer<ConfigMap>,
  truth: ReadonlyMap<string, Live<ConfigMap>>,
): string[] {
  const due = new Map<string, string[]>();
  for (const object of truth.values()) {
    for (const value of valuesOf(object)) {
      due.set(value, [...(due.get(value) ?? []), object.metadata.name]);
    }
  }
  const values = new Set([...due.keys(), ...informer.indexValues("write")]);
  return [...values].flatMap((value) => {
    const has = (informer.by["write"]?.(value) ?? []).map(({ metadata }) => metadata.name);
    return isDeepStrictEqual(has.sort(), (due.get(value) ?? []).sort())
      ? []
      : [
          `the index has ${has.length} objects under "${value}", not ${due.get(value)?.length ?? 0}`,
        ];
  });
}

function differences(
  what: string,
  has: ReadonlyMap<string, Live<ConfigMap>>,
  truth: ReadonlyMap<string, Live<ConfigMap>>,
): string[] {
  const problems: string[] = [];
  for (const [name, object] of truth) {
    if (!isDeepStrictEqual(has.get(name), object)) {
      const version = has.get(name)?.metadata.resourceVersion ?? "nothing";
      problems.push(
        `${what} has ${version} of ${name}, the server ${object.metadata.resourceVersion}`,
      );
    }
  }
  for (const name of has.keys()) {
    if (!truth.has(name)) {
      problems.push(`${what} has ${name}, which the server does not have`);
    }
  }
  return problems;
}
