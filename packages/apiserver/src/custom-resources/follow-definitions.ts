import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, jsonEqual } from "../objects/json-value.js";
import { randomUid } from "../objects/random.js";
import { isFinished } from "../phases/write/store-object.js";
import {
  type ConversionFunction,
  type Converter,
  functionConverter,
  renamingConverter,
} from "../resources/converter.js";
import { definitionStorage, readDefinition } from "../resources/definition.js";
import { approvalCondition } from "./api-approval.js";
import { type CallWebhook, webhookConverter } from "./conversion-webhook.js";
import { cleanupFinalizer } from "./definition-deletion.js";
import { areNamesAccepted, decideNames } from "./definition-names.js";
import { conditionOf, withCondition, writeStatus } from "./definition-status.js";
import { deleteInstances } from "./delete-instances.js";
import { servedVersions } from "./served-versions.js";

/** Options for serving custom resource definitions. */
export interface DefinitionOptions {
  /** Milliseconds of the server's clock until a definition is established. Default 0: at once, during the write. */
  readonly establishDelayMs?: number | undefined;
  /** Conversion functions that run in process, by the name of the definition. */
  readonly conversions?: Readonly<Record<string, ConversionFunction>> | undefined;
  /** Calls conversion webhooks. Default: HTTPS to `clientConfig.url`. */
  readonly callWebhook?: CallWebhook | undefined;
}

/**
 * Processes every stored definition: accepts its names, serves its versions, and deletes its objects when it is
 * deleted. All this happens during the triggering write, apart from a configured delay.
 *
 * @param publish - called after the served group-versions changed.
 */
export function followDefinitions(
  server: ServerContext,
  options: DefinitionOptions,
  publish: () => void,
): void {
  const { store, registry, watches, clock } = server;
  const { establishDelayMs = 0 } = options;
  const definitions = store.collection(definitionStorage);
  const changed = new Set<string>();
  /** The state of each definition that is currently served. */
  const served = new Map<string, ApiObject>();
  const emptying = new Set<string>();
  const waiting = new Map<string, () => void>();
  let isBusy = false;
  // The definitions of a forked server are already served.
  for (const [name, object] of definitions.entries("")) {
    if (conditionOf(object, "Established")?.["status"] === "True") {
      served.set(name, object);
    } else {
      changed.add(name);
    }
  }

  const settle = (name: string) => {
    const object = definitions.get(name);
    if (object === undefined) {
      forget(name);
      return;
    }
    if (object.metadata.deletionTimestamp !== undefined) {
      serve(name, object);
      end(name, object);
      return;
    }
    if (showApproval(object) || (!areNamesAccepted(object) && acceptNames(object))) {
      return;
    }
    const isAccepted = conditionOf(object, "NamesAccepted")?.["status"] === "True";
    if (isAccepted && conditionOf(object, "Established")?.["status"] !== "True") {
      establishLater(name);
      return;
    }
    serve(name, object);
  };

  /**
   * Writes the condition about API approval; returns false when the status already has it or the group needs no
   * approval.
   */
  const showApproval = (object: ApiObject): boolean => {
    const condition = approvalCondition(object);
    return (
      condition !== undefined &&
      writeStatus(server, object, withCondition(server, object, condition))
    );
  };

  /** Writes the decision on the names; returns false when it is unchanged. */
  const acceptNames = (object: ApiObject): boolean => {
    const { name = "" } = object.metadata;
    const group = getPath(object, "spec", "group");
    const others = definitions
      .entries("")
      .filter(([key, other]) => key !== name && getPath(other, "spec", "group") === group)
      .map(([, other]) => other);
    const { accepted, isAccepted, reason, message } = decideNames(object, others);
    const named = withCondition(server, object, {
      type: "NamesAccepted",
      status: isAccepted ? "True" : "False",
      reason,
      message,
    });
    const isEstablished = conditionOf(object, "Established")?.["status"] === "True";
    const next = isEstablished
      ? named
      : withCondition(server, named, {
          type: "Established",
          status: "False",
          reason: isAccepted ? "Installing" : "NotAccepted",
          message: isAccepted
            ? "the initial names have been accepted"
            : "not all names are accepted",
        });
    return writeStatus(server, object, { ...next, acceptedNames: accepted });
  };

  const establishLater = (name: string) => {
    if (establishDelayMs <= 0) {
      establish(name);
    } else if (!waiting.has(name)) {
      const cancel = clock.schedule(establishDelayMs, () => {
        waiting.delete(name);
        establish(name);
      });
      waiting.set(name, cancel);
    }
  };

  const establish = (name: string) => {
    const object = definitions.get(name);
    if (object !== undefined && object.metadata.deletionTimestamp === undefined) {
      const status = withCondition(server, object, {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      });
      writeStatus(server, object, status);
    }
  };

  const serve = (name: string, object: ApiObject) => {
    const before = served.get(name);
    if (conditionOf(object, "Established")?.["status"] !== "True" || isSame(before, object)) {
      return;
    }
    const definition = readDefinition(object, converterOf(object));
    registry.serve(name, servedVersions(object, definition));
    served.set(name, object);
    publish();
    // A watch keeps the definition that it began with, so it must be restarted.
    if (before !== undefined && before["spec"] !== object["spec"]) {
      watches.endStorage(name);
    }
  };

  const converterOf = (object: ApiObject): Converter => {
    const name = object.metadata.name ?? "";
    const own = options.conversions;
    const convert = own !== undefined && Object.hasOwn(own, name) ? own[name] : undefined;
    if (convert !== undefined) {
      return functionConverter(convert);
    }
    const conversion = getPath(object, "spec", "conversion");
    return getPath(conversion, "strategy") === "Webhook"
      ? webhookConverter(conversion, () => randomUid(server.random), options.callWebhook)
      : renamingConverter;
  };

  const end = (name: string, object: ApiObject) => {
    if (!(object.metadata.finalizers ?? []).includes(cleanupFinalizer)) {
      return;
    }
    if (!emptying.has(name)) {
      emptying.add(name);
      deleteInstances(server, name);
    }
    if (store.collection(name).size > 0) {
      writeStatus(
        server,
        object,
        withCondition(server, object, {
          type: "Terminating",
          status: "True",
          reason: "InstanceDeletionInProgress",
          message: "CustomResource deletion is in progress",
        }),
      );
      return;
    }
    finish(name, object);
  };

  const finish = (name: string, object: ApiObject) => {
    emptying.delete(name);
    const finalizers = object.metadata.finalizers?.filter((one) => one !== cleanupFinalizer);
    const wasServed = conditionOf(object, "Established")?.["status"] === "True";
    const status = withCondition(server, object, {
      type: "Terminating",
      status: "False",
      reason: wasServed ? "InstanceDeletionCompleted" : "NeverEstablished",
      message: wasServed ? "removed all instances" : "resource was never established",
    });
    const emptied = {
      ...object,
      metadata: { ...object.metadata, finalizers },
      status,
    } as ApiObject;
    if (isFinished(emptied)) {
      store.remove(definitionStorage, name);
    } else {
      store.put(definitionStorage, name, emptied);
    }
  };

  const forget = (name: string) => {
    waiting.get(name)?.();
    waiting.delete(name);
    emptying.delete(name);
    served.delete(name);
    registry.serve(name, []);
    publish();
    watches.endStorage(name);
    // The names of the deleted definition are free now: other definitions of the group may be waiting for them.
    for (const [other, object] of definitions.entries("")) {
      if (!areNamesAccepted(object)) {
        changed.add(other);
      }
    }
  };

  definitions.listen(({ key }) => changed.add(key));
  store.onCommit(() => {
    if (isBusy || changed.size + emptying.size === 0) {
      return;
    }
    isBusy = true;
    try {
      do {
        for (const name of emptying) {
          if (store.collection(name).size === 0) {
            changed.add(name);
          }
        }
        const names = [...changed];
        changed.clear();
        names.forEach(settle);
      } while (changed.size > 0);
    } finally {
      isBusy = false;
    }
  });
}

function isSame(before: ApiObject | undefined, object: ApiObject): boolean {
  return (
    before !== undefined &&
    before.metadata.deletionTimestamp === object.metadata.deletionTimestamp &&
    before.metadata.uid === object.metadata.uid &&
    jsonEqual(before["spec"], object["spec"]) &&
    jsonEqual(
      getPath(before, "status", "acceptedNames"),
      getPath(object, "status", "acceptedNames"),
    )
  );
}
