import { isAlreadyExists, isConflict, isNotFound, KubeError } from "@typekube/core";
import { type Clock, cloneJson, jsonEqual, type Random, sleep } from "@typekube/core/internal";

/** Tries in all, as client-go's `retry.DefaultRetry`. */
export const defaultModifyTries = 5;

/** Milliseconds between two tries, and the part of it that chance adds, as client-go's `retry.DefaultRetry`. */
export const modifyBackoff = { delayMs: 10, jitter: 0.1 } as const;

/**
 * Changes an object: either the copy that it is given, or by giving back another one. What it leaves as it was is not written.
 * It runs again on the newer object when somebody else wrote in between, so it must depend on nothing but what it is given.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that changes its argument gives back nothing
export type ObjectChange<T, R = T> = (object: T) => R | void | Promise<R | void>;

/** One object that can be read and replaced. */
export interface Replaceable {
  /** Fails, or gives `undefined` where there is something to begin with, when the object is not there. */
  read(): Promise<object | undefined>;
  replace(object: object): Promise<object>;
  create(object: object): Promise<object>;
  /** What an object that is not there begins with; absent where it must be there. */
  readonly initial?: object | undefined;
}

/** How {@link modifyObject} goes about it. */
export interface ModifySettings {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxTries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads, changes and writes until nobody else wrote in between.
 *
 * @throws {KubeError} `Conflict` when each try met another writer, and whatever else reading or writing fails with.
 */
export async function modifyObject(
  target: Replaceable,
  change: ObjectChange<never, object>,
  settings: ModifySettings,
): Promise<object> {
  const { maxTries } = settings;
  if (!Number.isInteger(maxTries) || maxTries < 1) {
    throw new KubeError("InvalidArgument", "maxTries must be a whole number of 1 or more");
  }
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(target, change);
    } catch (error) {
      if (!(error instanceof Overtaken)) {
        throw error;
      }
      if (tries >= maxTries) {
        throw exhausted(KubeError.from(error.cause), tries);
      }
    }
    const { delayMs, jitter } = modifyBackoff;
    const waitMs = delayMs * (1 + jitter * settings.random());
    await sleep(settings.clock, waitMs, settings.signal);
  }
}

/** Somebody else wrote between the read and the write. Never leaves this file. */
class Overtaken extends Error {}

async function attempt(target: Replaceable, change: ObjectChange<never, object>): Promise<object> {
  const before = await target.read();
  if (before === undefined) {
    const initial = target.initial ?? {};
    const made = await changed(initial, change);
    const { name, namespace = metadataOf(made)["namespace"] } = metadataOf(initial);
    return target.create(withIdentity(made, { name, namespace })).catch((error: unknown) => {
      throw isAlreadyExists(error) ? new Overtaken("created", { cause: error }) : error;
    });
  }
  const after = await changed(before, change);
  if (jsonEqual(before, after)) {
    return before;
  }
  const { name, namespace, resourceVersion } = metadataOf(before);
  const written = withIdentity(after, { name, namespace, resourceVersion });
  return target.replace(written).catch((error: unknown) => {
    const isGone = isNotFound(error) && target.initial !== undefined;
    throw isConflict(error) || isGone ? new Overtaken("written", { cause: error }) : error;
  });
}

/** A changed object as the one that it is of, whatever the change left of its metadata. */
function withIdentity(object: object, identity: Readonly<Record<string, unknown>>): object {
  const metadata = metadataOf(object);
  if (["name", "namespace"].some((key) => (metadata[key] ?? identity[key]) !== identity[key])) {
    throw new KubeError("InvalidArgument", "modify() cannot rename an object", {
      hint: "create an object of that name and delete this one",
    });
  }
  return { ...object, metadata: { ...metadata, ...identity } };
}

async function changed(object: object, change: ObjectChange<never, object>): Promise<object> {
  const copy = cloneJson(object);
  const result: unknown = (await change(copy as never)) ?? copy;
  if (typeof result !== "object" || Array.isArray(result)) {
    throw new KubeError(
      "InvalidArgument",
      "the function of modify() must return an object or undefined",
    );
  }
  return result as object;
}

function metadataOf(object: object): Readonly<Record<string, unknown>> {
  return (object as { readonly metadata?: Record<string, unknown> }).metadata ?? {};
}

function exhausted(error: KubeError, tries: number): KubeError {
  return new KubeError(error.code, `${error.rawMessage}; tried ${tries} times`, {
    cause: error,
    status: error.status,
    httpStatus: error.httpStatus,
    retryAfterMs: error.retryAfterMs,
    request: error.request,
    hint: "other writers keep changing the object: raise maxTries, or use patch or apply for your own fields",
  });
}
