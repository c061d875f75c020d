import { setImmediate } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { ConversionHandler } from "./conversion.js";
import { convertObject } from "./convert-object.js";
import {
  keepOriginal,
  keptOriginal,
  unconvertedAnnotation,
  withoutOriginal,
} from "./kept-original.js";

/** Milliseconds of conversions after which the event loop gets its turn. */
const sliceMs = 10;

/** Result of a conversion. */
export interface ConversionOutput {
  /** The objects in the order given. */
  readonly objects: readonly KubeObject[];
  /** Errors of objects that are kept in an annotation instead. */
  readonly kept: readonly KubeError[];
}

/**
 * Converts objects to a version, all or none.
 *
 * @throws {KubeError} `Invalid` for the first object that cannot be converted, with its index and name.
 */
export async function runConversion(
  handler: ConversionHandler,
  objects: readonly KubeObject[],
  desired: string,
  signal?: AbortSignal,
): Promise<ConversionOutput> {
  const converted: KubeObject[] = [];
  const kept: KubeError[] = [];
  let since = performance.now();
  for (const [at, object] of objects.entries()) {
    try {
      converted.push(await convertOne(handler, object, desired));
    } catch (error) {
      const failure = indexedError(error, at, object, desired);
      if (handler.onConversionError === "fail") {
        throw failure;
      }
      converted.push(keepOriginal(object, desired));
      kept.push(failure);
    }
    if (performance.now() - since >= sliceMs) {
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
  }
  return { objects: converted, kept };
}

async function convertOne(
  handler: ConversionHandler,
  object: KubeObject,
  desired: string,
): Promise<KubeObject> {
  const isKept = object.metadata?.annotations?.[unconvertedAnnotation] !== undefined;
  const original = isKept ? await keptOriginal(object) : undefined;
  if (original === undefined) {
    const converted = convertObject(handler, object, desired);
    return isKept ? withoutOriginal(converted) : converted;
  }
  return original.apiVersion === desired ? original : convertObject(handler, original, desired);
}

function indexedError(
  error: unknown,
  at: number,
  { metadata, apiVersion, kind }: KubeObject,
  desired: string,
): KubeError {
  const name = [metadata?.namespace, metadata?.name].filter(Boolean).join("/");
  const why =
    error instanceof KubeError
      ? [error.rawMessage, error.hint].filter(Boolean).join(": ")
      : error instanceof Error
        ? error.message
        : `the converter threw ${String(error)}`;
  return new KubeError(
    "Invalid",
    `objects[${at}], ${kind} ${name}, ${apiVersion} to ${desired}: ${why}`,
    { cause: error },
  );
}
