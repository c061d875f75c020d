import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { EventSource, EventText } from "../event-recorder.js";

/**
 * Everything may be left out, at any depth; `null` removes, as in a JSON merge patch. Known values of a text are offered, not
 * demanded: the compiler does not see that a function without parameters gives one of them.
 */
export type StagePatch<T> = T extends readonly unknown[]
  ? T
  : T extends string
    ? T | (string & {})
    : T extends object
      ? { readonly [K in keyof T]?: StagePatch<T[K]> | null | undefined }
      : T;

/** When a stage acts. */
export interface StageMoment {
  /** The time of the server's clock, as the API writes it. */
  readonly now: string;
}

/** A step that the objects of a kind take by themselves. */
export interface StageOptions<T extends KubeObject> {
  /** Which objects take it, and until when. Default: all. */
  readonly when?: (object: Live<T>) => boolean;
  /** Milliseconds of the server's clock from when `when` holds; it must hold all the time. Default 0: as soon as a controller reacts. */
  readonly after?: number | ((object: Live<T>) => number);
  /** What changes, laid over the object as a JSON merge patch: lists are replaced. `status` goes through the subresource. */
  readonly set?: (object: Live<T>, moment: StageMoment) => StagePatch<T>;
  /** Deletes the object at once, without a grace period. Default false. */
  readonly delete?: boolean;
  /** The Events that are recorded with the step, in the object's namespace. Default: none. */
  readonly events?: (object: Live<T>) => readonly StageEvent[];
  /** Whose fields they become. Default "stages". */
  readonly manager?: string;
}

/** An Event that a stage records. `component` is its source, by default the stage's manager. */
export interface StageEvent extends EventText, Partial<EventSource> {}

/** A stage and the resource whose objects take it. */
export interface Stage {
  readonly resource: ResourceDescriptor;
  /** A Node that the server has from its start. */
  readonly node?: string;
  readonly options: StageOptions<KubeObject>;
}

/**
 * Describes a step that objects take by themselves, as pods do on a node. Of several stages of a kind, an object takes the
 * first whose `when` holds.
 *
 * @example
 * stage(Widget, {
 *   when: (widget) => widget.status?.phase === undefined,
 *   after: 2_000,
 *   set: () => ({ status: { phase: "Ready" } }),
 * });
 */
export function stage<T extends KubeObject>(
  resource: ResourceDescriptor<T>,
  options: StageOptions<NoInfer<T>>,
): Stage {
  return { resource, options: options as unknown as StageOptions<KubeObject> };
}
