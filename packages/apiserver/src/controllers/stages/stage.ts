import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { EventSource, EventText } from "../runtime/event-object.js";

/**
 * Patch of an object: any field may be omitted at any depth; `null` removes a field, as in a JSON merge patch. For
 * strings with known values any string is accepted, because the compiler widens the literals in the result of a
 * function without parameters.
 */
export type StagePatch<T> = T extends readonly unknown[]
  ? T
  : T extends string
    ? T | (string & {})
    : T extends object
      ? { readonly [K in keyof T]?: StagePatch<T[K]> | null | undefined }
      : T;

/** Time at which a stage acts. */
export interface StageMoment {
  /** Time of the server's clock in API format. */
  readonly now: string;
}

/** Options of a stage: an automatic state change of the objects of a kind. */
export interface StageOptions<T extends KubeObject> {
  /** Returns true while the stage applies to an object. Default: always. */
  readonly when?: ((object: Live<T>) => boolean) | undefined;
  /**
   * Milliseconds of the server's clock for which `when` must hold without interruption. Default 0: as soon as a
   * controller reacts.
   */
  readonly after?: number | ((object: Live<T>) => number) | undefined;
  /** Returns the change as a JSON merge patch: lists are replaced. `status` is written through the subresource. */
  readonly set?: ((object: Live<T>, moment: StageMoment) => StagePatch<T>) | undefined;
  /** Deletes the object at once, without a grace period. Default false. */
  readonly delete?: boolean | undefined;
  /** Returns the Events to record with the step, in the object's namespace. Default: none. */
  readonly events?: ((object: Live<T>) => readonly StageEvent[]) | undefined;
  /** Field manager of the changes. Default "stages". */
  readonly manager?: string | undefined;
}

/** An Event recorded by a stage. `component` is its source, by default the stage's manager. */
export interface StageEvent extends EventText, Partial<EventSource> {}

/** A stage and the resource that it applies to. */
export interface Stage {
  readonly resource: ResourceDescriptor;
  /** Name of a Node that the server creates at startup. */
  readonly node?: string | undefined;
  readonly options: StageOptions<KubeObject>;
}

/**
 * Describes an automatic state change of objects, like those of pods on a node. If a kind has several stages, the first
 * one whose `when` holds applies.
 *
 * @example
 * ```ts
 * stage(Widget, {
 *   when: (widget) => widget.status?.phase === undefined,
 *   after: 2_000,
 *   set: () => ({ status: { phase: "Ready" } }),
 * });
 * ```
 */
export function stage<T extends KubeObject>(
  resource: ResourceDescriptor<T>,
  options: StageOptions<NoInfer<T>>,
): Stage {
  return { resource, options: options as unknown as StageOptions<KubeObject> };
}
