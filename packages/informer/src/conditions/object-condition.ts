import type { KubeObject, Live } from "@typekube/api";

/** Returns true when an object is in the state to wait for. Called with `undefined` when the object does not exist. */
export type ObjectCondition<T extends KubeObject = KubeObject> = (
  object: Live<T> | undefined,
) => boolean | Promise<boolean>;

/** A condition that describes what it waits for and the state of an object, for the error of a wait that was not met. */
export interface DescribedCondition<T extends KubeObject = KubeObject> extends ObjectCondition<T> {
  /** Description of the state to wait for: `condition Ready=True`. */
  readonly description: string;
  /** Describes the current state of an object, without values that may be secret. */
  seen(object: Live<T>): string;
  /**
   * Paths of the fields that the condition and `seen` read, as in the option `fields`. A wait with `fields` reads these,
   * too. A path that the kind does not have is no error. Default: none but those of every projection.
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Creates a condition with its description.
 *
 * @param fields - paths of the fields that `holds` and `seen` read.
 */
export function describedCondition<T extends KubeObject>(
  description: string,
  fields: readonly string[],
  holds: (object: Live<T> | undefined) => boolean,
  seen: (object: Live<T>) => string,
): DescribedCondition<T> {
  return Object.assign((object: Live<T> | undefined) => holds(object), {
    description,
    fields,
    seen,
  });
}

/** Describes the state that was checked last. */
export function lastSeen(
  condition: ObjectCondition<never>,
  object: Live<KubeObject> | undefined,
): string {
  if (object === undefined) {
    return "the object does not exist";
  }
  const at = `at resourceVersion ${object.metadata.resourceVersion}`;
  const { seen } = condition as Partial<DescribedCondition>;
  return seen === undefined
    ? `it was last seen ${at}`
    : `it was last seen ${at} with ${seen(object)}`;
}

/** Returns the description of a condition, if it has one. */
export function descriptionOf(condition: ObjectCondition<never>): string | undefined {
  return (condition as Partial<DescribedCondition>).description;
}
