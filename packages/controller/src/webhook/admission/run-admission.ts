import type { KubeObject } from "@typekube/api";
import type { UserInfo } from "@typekube/api/authentication/v1";
import type { GroupVersionKind } from "@typekube/api/meta/v1";
import { KubeError, type Status } from "@typekube/core";
import {
  cloneJson,
  type JsonObject,
  type JsonPatchOperation,
  jsonPatchBetween,
  withCallScope,
} from "@typekube/core/internal";
import type { AdmissionHandler } from "./admission.js";
import { AdmissionNotes } from "./admission-notes.js";
import type { AdmissionContext, AdmissionOperation } from "./admission-review.js";
import { assertJsonValue } from "./assert-json-value.js";
import { type Denial, denialOf } from "./denial.js";
import { writeScope } from "./write-scope.js";

/** A request to review, decoded. */
export interface AdmissionInput {
  readonly uid: string;
  readonly operation: AdmissionOperation;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly subresource: string | undefined;
  readonly requestKind: GroupVersionKind | undefined;
  readonly options: JsonObject | undefined;
}

/** Result of a review. */
export interface AdmissionOutput {
  readonly allowed: boolean;
  /** Status of a denial; `undefined` for an allowed request. */
  readonly status: Status | undefined;
  /** Operations of the mutators; empty when nothing changed or the request is denied. */
  readonly patch: readonly JsonPatchOperation[];
  /** The object as the mutators left it. */
  readonly object: KubeObject | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** Handlers of any kind and operations, as they are stored. */
export type AnyAdmissionHandler = Pick<
  AdmissionHandler<never, never>,
  "kind" | "mutators" | "name" | "settings" | "type" | "validators"
>;

type AnyHandlerFunction = (...args: unknown[]) => unknown;

/**
 * Runs the mutators of a handler on a draft. The first denial ends the run; warnings and audit annotations of all that
 * ran are kept. A mutator sees the result of the one before it.
 */
export async function runMutators(
  handler: AnyAdmissionHandler,
  input: AdmissionInput,
  signal: AbortSignal,
): Promise<AdmissionOutput> {
  const notes = new AdmissionNotes();
  const { object } = input;
  // A delete has no object to change.
  if (object === undefined || input.operation === "DELETE") {
    return outputOf(undefined, notes, object, []);
  }
  const draft = cloneJson(object);
  const { object: _, ...request } = { ...input, ...contextOf(handler, input, notes, signal) };
  const denial = await inScope(handler, input, signal, () =>
    firstDenial(handler.mutators as unknown as AnyHandlerFunction[], [draft, request], signal),
  );
  if (denial !== undefined) {
    return outputOf(denial, notes, object, []);
  }
  const patch = jsonPatchBetween(object, draft);
  for (const operation of patch) {
    if ("value" in operation) {
      assertJsonValue(operation.value, operation.path);
    }
  }
  return outputOf(undefined, notes, draft, patch);
}

/** Runs the validators of a handler until one denies. */
export async function runValidators(
  handler: AnyAdmissionHandler,
  input: AdmissionInput,
  signal: AbortSignal,
): Promise<AdmissionOutput> {
  const notes = new AdmissionNotes();
  const review = { ...input, ...contextOf(handler, input, notes, signal) };
  const denial = await inScope(handler, input, signal, () =>
    firstDenial(handler.validators as unknown as AnyHandlerFunction[], [review], signal),
  );
  return outputOf(denial, notes, input.object, []);
}

function inScope<R>(
  { name, settings }: AnyAdmissionHandler,
  { dryRun }: AdmissionInput,
  signal: AbortSignal,
  run: () => R,
): R {
  return withCallScope(writeScope(name, settings.sideEffects, dryRun, signal), run);
}

async function firstDenial(
  handlers: readonly AnyHandlerFunction[],
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<Denial | undefined> {
  for (const handler of handlers) {
    signal.throwIfAborted();
    const result = await handler(...args);
    if (result !== undefined) {
      return denialFrom(result);
    }
  }
  return undefined;
}

/** A handler that returns anything but a denial was meant to say something that would be lost. */
function denialFrom(result: unknown): Denial {
  const { allowed, status } = (result ?? {}) as Partial<Denial>;
  if (allowed !== false || status === undefined) {
    throw new KubeError("InvalidState", "a webhook handler returned something unknown", {
      hint: "return deny(...) or nothing; a mutator changes the draft in place",
    });
  }
  return { allowed, status };
}

function outputOf(
  denial: Denial | undefined,
  { warnings, auditAnnotations }: AdmissionNotes,
  object: KubeObject | undefined,
  patch: readonly JsonPatchOperation[],
): AdmissionOutput {
  const allowed = denial === undefined;
  return { allowed, status: denial?.status, patch, object, warnings, auditAnnotations };
}

function contextOf(
  { name, settings }: AnyAdmissionHandler,
  { dryRun }: AdmissionInput,
  notes: AdmissionNotes,
  signal: AbortSignal,
): Pick<AdmissionContext, "allow" | "audit" | "deny" | "sideEffect" | "signal" | "warn"> {
  return {
    signal,
    deny: denialOf,
    allow: () => undefined,
    warn: (message) => notes.warn(message),
    audit: (key, value) => notes.audit(key, value),
    async sideEffect(run) {
      if (settings.sideEffects === "None") {
        throw new KubeError("InvalidState", `the webhook ${name} declares no side effects`, {
          hint: 'set sideEffects: "NoneOnDryRun"',
        });
      }
      return dryRun ? undefined : run();
    },
  };
}
