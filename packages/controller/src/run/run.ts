import type { KubeObject, Live } from "@typekube/api";
import type {
  Applied,
  ClientCore,
  CreateOptions,
  DeepPartial,
  DeleteOptions,
  DeleteResult,
  GetOptions,
  Patch,
  Selecting,
  SentWhole,
  WriteOptions,
} from "@typekube/client";
import type { FieldSelectorInput, LabelSelectorInput } from "@typekube/core";
import type { KindObject, WholeObject } from "../definition/keep-fields.js";
import type { NamedKind } from "../definition/kind-choice.js";
import type { KeyLike } from "../definition/object-key.js";
import type { NotReady, StatusOf } from "../definition/outcome.js";
import type { EventRecorder } from "../events/event-recorder.js";
import type { Log } from "../log/log.js";
import type { ApplyChildOptions } from "./apply/apply-options.js";
import type { RunCauses } from "./causes.js";

/**
 * Tools of a reconciler: the reads, writes, events and status of one run. Every call of any client inside the run
 * carries the controller's name as field manager, ends with {@link signal}, and is refused after the leadership was lost,
 * also by a client of another cluster. Reads of the cache show the writes of the manager's client at once, and of clients
 * that are derived from it.
 */
export interface Run<
  T extends KubeObject = KubeObject,
  Declared extends NamedKind = NamedKind,
  Reason extends string = string,
> {
  /** Name of the controller. */
  readonly controller: string;
  /** `namespace/name`, or `name` for a cluster-wide object. */
  readonly key: string;
  readonly name: string;
  /** Namespace of the object; `undefined` for a cluster-wide one. */
  readonly namespace: string | undefined;
  /** Aborts when the run is over time, the controller stops or the leadership is lost. */
  readonly signal: AbortSignal;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** `true` for the last of `retry.maxAttempts`. */
  readonly isLastAttempt: boolean;
  /** Identifies the run in logs and traces: a UUID. */
  readonly reconcileId: string;
  /** Why the run happens. Not to be decided upon: several causes become one run, and a restart has none of them. */
  readonly causes: RunCauses;
  readonly log: Log;
  /** Client of the manager. Its calls in this run behave as those of any other client do. */
  readonly client: ClientCore;
  /** Records events of the controller. */
  readonly events: EventRecorder<Reason>;
  readonly status: RunStatus<T>;
  /** Reads from the server, past the caches. */
  readonly live: LiveReads<Declared>;

  /**
   * Returns false while the definition of a kind is absent. A kind in `owns` may be: the controller does without it, and
   * every object is reconciled again when the definition comes.
   *
   * @throws {KubeError} `InvalidArgument` for a kind that the controller does not declare.
   */
  isServed(kind: Declared): boolean;
  /**
   * Returns a cached object, with the writes of this controller that the cache does not have yet. Never waits.
   *
   * @param name - a name in the namespace of the run, or a key.
   */
  get<D extends Declared>(kind: D, name: KeyLike): Live<KindObject<D>> | undefined;
  /** Returns cached objects, with the writes of this controller that the cache does not have yet. */
  list<D extends Declared>(kind: D, options?: RunListOptions): Live<KindObject<D>>[];

  /**
   * Applies an object with server-side apply, owned by the run's object. Sends nothing when the last apply was the same
   * and nobody changed its fields. An object that earlier runs applied and this one does not is deleted. While the
   * definition of the kind is absent it sends nothing and ends the run as `notReady("WaitingForDefinition")` does, unless
   * the error is caught; `isServed` tells beforehand.
   *
   * @throws {KubeError} `AlreadyOwned` when another controller owns it, `InvalidArgument` for an object that cannot be
   * owned: in another namespace, or cluster-wide with an owner that is not.
   */
  apply<D extends Declared>(
    kind: D,
    desired: DesiredObject<WholeObject<D>> & SentWhole,
    options?: ApplyChildOptions,
  ): Promise<Live<KindObject<D>>>;
  /** Creates an object. `metadata.generateName` is allowed: the following run sees the object even if the watch lags. */
  create<D extends Declared>(
    kind: D,
    object: DesiredObject<WholeObject<D>> & SentWhole,
    options?: CreateOptions,
  ): Promise<Live<WholeObject<D>>>;
  /** Patches an object. A resourceVersion in the patch makes it fail with `Conflict` if somebody was faster. */
  patch<D extends Declared>(
    kind: D,
    name: KeyLike,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<Live<WholeObject<D>>>;
  /** Replaces an object. Takes no object that lacks fields: read it with {@link live} first, or patch it. */
  update<D extends Declared>(
    kind: D,
    object: WholeObject<D> & SentWhole,
    options?: WriteOptions,
  ): Promise<Live<WholeObject<D>>>;
  /** Deletes an object; no error when it is gone already. */
  delete<D extends Declared>(
    kind: D,
    name: KeyLike,
    options?: DeleteOptions,
  ): Promise<DeleteResult | undefined>;
  /**
   * Creates an object, or updates it when `change` changes it. Tries again when somebody else was faster. Of a kind with
   * some fields it reads the whole object first.
   *
   * @param change - modifies a copy of the object, which is new when it has no uid.
   */
  createOrUpdate<D extends Declared>(
    kind: D,
    name: KeyLike,
    change: (draft: WholeObject<D>) => void,
    options?: WriteOptions,
  ): Promise<Live<WholeObject<D>>>;
  /** Returns the outcome of a run that has to wait: it is tried again with growing delays, and nothing failed. */
  notReady(reason: string, message?: string): NotReady;
}

/** An object to create or apply: apiVersion and kind are filled in, and the namespace is the run's by default. */
export type DesiredObject<T extends KubeObject> = Omit<Applied<T>, "metadata"> & {
  readonly metadata: DeepPartial<NonNullable<KubeObject["metadata"]>>;
};

/** Which cached objects to return. */
export interface RunListOptions {
  /** Default: that of the run, or all for a cluster-wide object; `*` for all. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: LabelSelectorInput | undefined;
  /** Only objects with an owner reference to this one: `true` for the object of the run. */
  readonly ownedBy?: KubeObject | true | undefined;
  /** Values of indexes that the kind was declared with: `{ node: "n1" }`. */
  readonly index?: Readonly<Record<string, string>> | undefined;
}

/** Reads that ask the server. They read whole objects, also of kinds of which the cache keeps some fields. */
export interface LiveReads<Declared extends NamedKind> {
  /** Reads an object; `undefined` when it does not exist. */
  get<D extends Declared>(
    kind: D,
    name: KeyLike,
    options?: GetOptions,
  ): Promise<Live<WholeObject<D>> | undefined>;
  /** Reads all objects of a namespace: that of the run by default, all with `namespace: "*"`. */
  list<D extends Declared>(
    kind: D,
    options?: Selecting<WholeObject<D>, LiveListOptions>,
  ): Promise<Live<WholeObject<D>>[]>;
}

/** Which objects to read from the server. */
export interface LiveListOptions extends Pick<RunListOptions, "labelSelector" | "namespace"> {
  readonly fieldSelector?: FieldSelectorInput | undefined;
}

/** Writes the status of the run's object. */
export interface RunStatus<T extends KubeObject> {
  /**
   * Writes some fields of the status at once; all others stay. Conditions are merged by type. Sends nothing when the
   * status has these values. What was written stays when a later step of the run fails.
   *
   * @throws {KubeError} `InvalidArgument` for a kind without a status subresource.
   */
  set(partial: StatusOf<T>): Promise<Live<T>>;
}
