import { isAlreadyExists, isConflict, isNotFound, KubeError } from "@typekube/core";
import {
  assertOptionValues,
  type Clock,
  cloneJson,
  jsonEqual,
  type Random,
  sleep,
} from "@typekube/core/internal";
import { modifyOptions } from "../options/write-options.js";
import { assertWhole } from "./assert-whole.js";

/** Attempts in total, as in client-go's `retry.DefaultRetry`. */
export const defaultModifyTries = 5;

/** Milliseconds between two attempts, and the random share added to them, as in client-go's `retry.DefaultRetry`. */
export const modifyBackoff = { delayMs: 10, jitter: 0.1 } as const;

/**
 * Changes an object: modifies the copy that it receives, or returns another object. An unchanged object is not written.
 * Runs again on the newer object when another client wrote in between, so it must depend on its argument only.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that changes its argument returns nothing
export type ObjectChange<T, R = T> = (object: T) => R | void | Promise<R | void>;

/** An object that can be read and replaced. */
export interface Replaceable {
  /** Reads the object. If the object does not exist, returns `undefined` when `initial` is set, and fails otherwise. */
  read(): Promise<object | undefined>;
  replace(object: object): Promise<object>;
  create(object: object): Promise<object>;
  /** The object to start from when none exists; absent when the object must exist. */
  readonly initial?: object | undefined;
}

/** Settings of {@link modifyObject}. */
export interface ModifySettings {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxTries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads, changes and writes an object, again from the start when another client wrote in between.
 *
 * @throws {KubeError} `Conflict` when each attempt met another writer, and any other error of the read or write.
 */
export async function modifyObject(
  target: Replaceable,
  change: ObjectChange<never, object>,
  settings: ModifySettings,
): Promise<object> {
  const { maxTries } = settings;
  assertOptionValues({ maxTries }, modifyOptions);
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

/** Another client wrote between the read and the write. Never leaves this file. */
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

/** Returns a changed object with the identity of the original, whatever the change did to its metadata. */
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
  assertWhole(result, "the object that the function of modify() returned");
  return result as object;
}

function metadataOf(object: object): Readonly<Record<string, unknown>> {
  return (object as { readonly metadata?: Record<string, unknown> }).metadata ?? {};
}

function exhausted(error: KubeError, tries: number): KubeError {
  return new KubeError("Conflict", `${error.rawMessage}; tried ${tries} times`, {
    cause: error,
    // The Status of an object that another client created or deleted has another reason.
    status: isConflict(error) ? error.status : undefined,
    httpStatus: error.httpStatus,
    retryAfterMs: error.retryAfterMs,
    request: error.request,
    hint: "other writers keep changing the object: raise maxTries, or write only your own fields with patch or apply",
  });
}
