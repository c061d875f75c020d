import type { KubeObject, Live } from "@typekube/api";

/** Whether an object is as one wants it; `undefined` when there is none. */
export type ObjectCondition<T extends KubeObject = KubeObject> = (
  object: Live<T> | undefined,
) => boolean | Promise<boolean>;

/** A condition that can say what it waits for and how far an object is, for the message when it does not come to pass. */
export interface DescribedCondition<T extends KubeObject = KubeObject> extends ObjectCondition<T> {
  /** What it waits for: `condition Ready=True`. */
  readonly description: string;
  /** What it sees of an object; no piece of it that may be secret. */
  seen(object: Live<T>): string;
}

/** A condition with its description. */
export function describedCondition<T extends KubeObject>(
  description: string,
  holds: (object: Live<T> | undefined) => boolean,
  seen: (object: Live<T>) => string,
): DescribedCondition<T> {
  return Object.assign((object: Live<T> | undefined) => holds(object), { description, seen });
}

/** What was looked at last, in words. */
export function lastSeen(
  condition: ObjectCondition<never>,
  object: Live<KubeObject> | undefined,
): string {
  if (object === undefined) {
    return "the object does not exist";
  }
  const at = `at version ${object.metadata.resourceVersion}`;
  const { seen } = condition as Partial<DescribedCondition>;
  return seen === undefined
    ? `it was last seen ${at}`
    : `it was last seen ${at} with ${seen(object)}`;
}

/** What a condition waits for, in words. */
export function descriptionOf(condition: ObjectCondition<never>): string | undefined {
  return (condition as Partial<DescribedCondition>).description;
}
