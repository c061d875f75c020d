import { randomUUID } from "node:crypto";
import type { KubeObject, Live } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { kindId } from "../definition/any-kind.js";
import type { AnyRun } from "../definition/controller.js";
import { plainKind } from "../definition/keep-fields.js";
import type { NamedKind } from "../definition/kind-choice.js";
import { type KeyLike, nameOfKey } from "../definition/object-key.js";
import { notReady } from "../definition/outcome.js";
import type { EventRecorder } from "../events/event-recorder.js";
import { createLog, type Log } from "../log/log.js";
import { traceStep } from "../trace/trace-step.js";
import { applyChild } from "./apply/apply-child.js";
import type { RunCauses } from "./causes.js";
import { absenceOf, assertDeclared, type RunContext } from "./context/run-context.js";
import type { RunState } from "./context/run-state.js";
import { waitingOutcome } from "./context/waiting.js";
import type { LiveReads, RunListOptions, RunStatus } from "./run.js";
import { listCached, liveReads, readCached } from "./run-reads.js";
import { createIn, createOrUpdateIn, deleteIn, patchIn, updateIn } from "./run-writes.js";
import { writeStatus } from "./status/write-status.js";

/** Facts of a run that the loop knows. */
export interface Attempt {
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  readonly causes: RunCauses;
  /** Identity of the run in its trace. Default: a new one, when it is first used. */
  readonly reconcileId?: string | undefined;
  readonly random: () => number;
}

/**
 * The run that a reconciler gets. A class, and most of it made on demand: a controller may run a hundred thousand times
 * a second.
 */
export class ReconcileRun implements AnyRun {
  readonly #context: RunContext;
  readonly #state: RunState;
  readonly #attempt: Attempt;
  #reconcileId: string | undefined;
  #log: Log | undefined;

  constructor(context: RunContext, state: RunState, attempt: Attempt) {
    this.#context = context;
    this.#state = state;
    this.#attempt = attempt;
  }

  get controller(): string {
    return this.#context.controller.name;
  }

  get key(): string {
    return this.#state.key;
  }

  get name(): string {
    return nameOfKey(this.#state.key).name;
  }

  get namespace(): string | undefined {
    return this.#state.namespace;
  }

  get signal(): AbortSignal {
    return this.#state.signal;
  }

  get attempt(): number {
    return this.#attempt.attempt;
  }

  get isLastAttempt(): boolean {
    return this.#attempt.isLastAttempt;
  }

  get causes(): RunCauses {
    return this.#attempt.causes;
  }

  get reconcileId(): string {
    this.#reconcileId ??= this.#attempt.reconcileId ?? randomUUID();
    return this.#reconcileId;
  }

  get log(): Log {
    const { sink, clock, controller } = this.#context;
    const { key } = this.#state;
    this.#log ??= createLog(sink, clock, {
      controller: controller.name,
      key,
      reconcileId: this.reconcileId,
    });
    return this.#log;
  }

  get client(): ClientCore {
    return this.#context.client;
  }

  get events(): EventRecorder {
    return this.#context.events;
  }

  get status(): RunStatus<KubeObject> {
    const set = (partial: unknown) => writeStatus(this.#context, this.#state, partial);
    return { set } as RunStatus<KubeObject>;
  }

  get live(): LiveReads<NamedKind> {
    return liveReads(this.#context, this.#state);
  }

  isServed(named: NamedKind): boolean {
    const kind = plainKind(named);
    assertDeclared(this.#context, kind);
    const isServed = absenceOf(this.#context, kind) === undefined;
    if (!isServed) {
      this.#state.absentKinds.add(kindId(kind));
    }
    return isServed;
  }

  get(kind: NamedKind, name: KeyLike): never {
    return readCached(this.#context, this.#state, kind, name) as never;
  }

  list(kind: NamedKind, options?: RunListOptions): never {
    return listCached(this.#context, this.#state, kind, options) as never;
  }

  apply(named: NamedKind, desired: object, options?: object): Promise<never> {
    const kind = plainKind(named);
    const { apiVersion = "", kind: name } = kind;
    const step = () => ({
      name: "apply" as const,
      controller: this.controller,
      apiVersion,
      kind: name,
      object: (desired as KubeObject).metadata?.name,
    });
    const isFailure = (error: unknown) => waitingOutcome(error) === undefined;
    const apply = () => applyChild(this.#context, this.#state, kind, desired, options);
    return traceStep(step, apply, isFailure) as Promise<never>;
  }

  create(kind: NamedKind, object: object, options?: object): Promise<never> {
    return createIn(this.#context, this.#state, plainKind(kind), object, options) as Promise<never>;
  }

  patch(kind: NamedKind, name: KeyLike, patch: never, options?: object): Promise<never> {
    return patchIn(
      this.#context,
      this.#state,
      plainKind(kind),
      name,
      patch,
      options,
    ) as Promise<never>;
  }

  update(kind: NamedKind, object: object, options?: object): Promise<never> {
    return updateIn(this.#context, this.#state, plainKind(kind), object, options) as Promise<never>;
  }

  delete(kind: NamedKind, name: KeyLike, options?: object): Promise<never> {
    return deleteIn(this.#context, this.#state, plainKind(kind), name, options) as Promise<never>;
  }

  createOrUpdate(
    kind: NamedKind,
    name: KeyLike,
    change: (draft: never) => void,
    options?: object,
  ): Promise<never> {
    const { random } = this.#attempt;
    const target = {
      kind: plainKind(kind),
      name,
      change: change as (draft: Live<KubeObject>) => void,
    };
    return createOrUpdateIn(this.#context, this.#state, target, random, options) as Promise<never>;
  }

  notReady(reason: string, message?: string): ReturnType<typeof notReady> {
    return notReady(reason, message);
  }
}
