import { builtInResources } from "@typekube/api/resources";
import type { Status } from "@typekube/core";
import { stringifyJson } from "@typekube/core/internal";
import type { FailedValidation } from "@typekube/policy";
import { admissionChain, internalAdmission } from "../../admission/admission-chain.js";
import { fill } from "../../api-server/start-api-server.js";
import type { ServerContext } from "../../context/server-context.js";
import type { Admission } from "../../context/write.js";
import { methodNotAllowed, StatusError } from "../../errors/status-errors.js";
import type { JournalEntry } from "../../journal/journal.js";
import { isIdleKindWarning } from "../../kinds/idle-kinds.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { administrator } from "../../objects/user.js";
import { admit } from "../../phases/decode/admit.js";
import { createObject } from "../../phases/write/create-object.js";
import { updateObject } from "../../phases/write/update-object.js";
import { beforeSchema, type Received, sortedKeys } from "../../request/request-body.js";
import type { ResourceRequest } from "../../request/request-info.js";
import { plainJson } from "../../request/response-format.js";
import type { WriteOptions } from "../../request/write-options.js";
import { isVirtual, type ServedResource } from "../../resources/served-resource.js";
import { beginWrite } from "../../server/calls/begin-write.js";
import { runAttempts } from "../../server/calls/run-attempts.js";
import { createContext } from "../../server/create-context.js";
import { createVirtual } from "../../server/virtual/create-virtual.js";
import { withoutConversionWebhook } from "./without-webhook.js";

/** A server's response to a write. */
export interface Verdict {
  /** The rejection; absent when the write was accepted. */
  readonly error?: Status | undefined;
  readonly warnings: readonly string[];
  /** The validations of policies that failed. */
  readonly failed?: readonly FailedValidation[] | undefined;
  /** The object as mutating policies received it and as they left it; absent when they changed nothing. */
  readonly mutation?: { readonly before: ApiObject; readonly after: ApiObject } | undefined;
}

/** A write to a check server. */
export interface CheckWrite {
  readonly resource: ServedResource;
  /** Namespace of the request; empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly object: JsonObject;
  /** `false` stores the object. */
  readonly dryRun: boolean;
  /** `true` replaces the stored object of this name. Default false: a create. */
  readonly update?: boolean | undefined;
  /** Default "Strict". */
  readonly fieldValidation?: WriteOptions["fieldValidation"];
}

/** An embedded server that is made for one check. It has no sockets, no journal and no controllers. */
export interface CheckServer {
  readonly version: string;
  readonly context: ServerContext;
  write(write: CheckWrite): Promise<Verdict>;
}

/** Creates a server for a check, with the content of a fresh cluster. */
export function createCheckServer(version: string): CheckServer {
  const options = { version, clock: "virtual" } as const;
  const { context } = createContext(options, builtInResources);
  fill(context, options);
  return { version, context, write: (write) => runWrite(context, write) };
}

/** Origin of all requests. Audit annotations are dropped. */
const origin = { entry: { verb: "create", protocol: "in-process" } as unknown as JournalEntry };

const noQuery = new URLSearchParams();
const never = new AbortController().signal;

async function runWrite(context: ServerContext, given: CheckWrite): Promise<Verdict> {
  const { resource, namespace, object, dryRun, update = false, fieldValidation = "Strict" } = given;
  const request: ResourceRequest = {
    verb: update ? "update" : "create",
    resource,
    namespace,
    name: update ? String((object["metadata"] as JsonObject | undefined)?.["name"] ?? "") : "",
    subresource: "",
    query: noQuery,
    user: administrator,
  };
  const options: WriteOptions = {
    dryRun,
    manager: "typekube-check",
    fieldValidation,
    force: false,
  };
  const received = receivedAs(dryRun ? object : withoutConversionWebhook(object), resource);
  let warnings: readonly string[] = [];
  let failed: readonly FailedValidation[] = [];
  const noteFailed = (found: readonly FailedValidation[]) => {
    failed = found;
  };
  try {
    if (!resource.descriptor.verbs.includes(request.verb)) {
      throw methodNotAllowed();
    }
    if (isVirtual(request)) {
      const http = { method: "POST", path: "", headers: {}, mode: "call" } as const;
      const call = { server: context, request, http, format: plainJson, signal: never, origin };
      ({ warnings } = await createVirtual(call, options, received));
      return { warnings };
    }
    const begun = await beginWrite({ server: context, request, origin }, options, false);
    warnings = begun.warnings;
    const { admission, mutation } = observed();
    // Field managers are not part of a verdict, and recording them takes a fourth of the time.
    const manage = hasManagers(object) || !dryRun ? undefined : (made: ApiObject) => made;
    const write = { ...begun, admission, manage, noteFailed };
    await runAttempts(write, () => {
      const admitted = admit(write, received.object, received);
      return update ? updateObject(write, admitted) : createObject(write, admitted);
    });
    return { warnings: unique(warnings), failed, mutation: mutation() };
  } catch (error) {
    if (error instanceof StatusError) {
      return { error: error.status, warnings: unique(error.warnings), failed };
    }
    throw error;
  }
}

function hasManagers({ metadata }: JsonObject): boolean {
  return isJsonObject(metadata) && metadata["managedFields"] !== undefined;
}

/** Returns the object as a server receives it from kubectl, which sends JSON with sorted keys. */
function receivedAs(object: JsonObject, resource: ServedResource): Received {
  return {
    object: beforeSchema(object, resource),
    duplicateFields: [],
    yamlDuplicates: [],
    json: () => stringifyJson(sortedKeys(object)),
  };
}

/** Returns the warnings that a real server sends, each once. Whether this server acts on an object is no part of a verdict. */
function unique(warnings: readonly string[]): readonly string[] {
  return warnings.length === 0
    ? warnings
    : [...new Set(warnings)].filter((warning) => !isIdleKindWarning(warning));
}

/** Returns an admission that records what mutating policies change. */
function observed(): {
  readonly admission: Admission;
  readonly mutation: () => Verdict["mutation"];
} {
  let mutation: Verdict["mutation"];
  return {
    mutation: () => mutation,
    admission: {
      ...admissionChain,
      mutate(write, object, old) {
        const after = admissionChain.mutate(write, object, old);
        if (write.server.store.collection(mutatingPolicies).size > 0) {
          const before = internalAdmission.mutate(write, object, old);
          mutation = jsonEqual(before, after) ? undefined : { before, after };
        }
        return after;
      },
    },
  };
}

const mutatingPolicies = "mutatingadmissionpolicies.admissionregistration.k8s.io";
