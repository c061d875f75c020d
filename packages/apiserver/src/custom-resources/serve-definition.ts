import type { ApiObject } from "../objects/api-object.js";
import { getPath, jsonEqual } from "../objects/json-value.js";
import { randomUid } from "../objects/random.js";
import { type Converter, functionConverter, renamingConverter } from "../resources/converter.js";
import { readDefinition } from "../resources/definition.js";
import { webhookConverter } from "./conversion-webhook.js";
import { areNamesAccepted } from "./definition-names.js";
import { conditionOf } from "./definition-status.js";
import type { FollowedDefinitions } from "./followed-definitions.js";
import { servedVersions } from "./served-versions.js";

/** Serves the versions of an established definition, unless they are served already. */
export function serveDefinition(
  definitions: FollowedDefinitions,
  name: string,
  object: ApiObject,
): void {
  const { server, served, publish } = definitions;
  const before = served.get(name);
  if (conditionOf(object, "Established")?.["status"] !== "True" || isSame(before, object)) {
    return;
  }
  const definition = readDefinition(object, converterOf(definitions, object));
  server.registry.serve(name, servedVersions(object, definition));
  served.set(name, object);
  publish();
  // A watch keeps the definition that it began with, so it must be restarted.
  if (before !== undefined && before["spec"] !== object["spec"]) {
    server.watches.endStorage(name);
  }
}

/** Stops serving a definition that is gone. */
export function forgetDefinition(definitions: FollowedDefinitions, name: string): void {
  const { server, stored, changed, served, emptying, waiting, publish } = definitions;
  waiting.get(name)?.();
  waiting.delete(name);
  emptying.delete(name);
  served.delete(name);
  server.registry.serve(name, []);
  publish();
  server.watches.endStorage(name);
  // The names of the deleted definition are free now: other definitions of the group may be waiting for them.
  for (const [other, object] of stored.entries("")) {
    if (!areNamesAccepted(object)) {
      changed.add(other);
    }
  }
}

function converterOf({ server, options }: FollowedDefinitions, object: ApiObject): Converter {
  const name = object.metadata.name ?? "";
  const { conversions } = options;
  const convert =
    conversions !== undefined && Object.hasOwn(conversions, name) ? conversions[name] : undefined;
  if (convert !== undefined) {
    return functionConverter(convert);
  }
  const conversion = getPath(object, "spec", "conversion");
  return getPath(conversion, "strategy") === "Webhook"
    ? webhookConverter(conversion, () => randomUid(server.random), server.webhooks)
    : renamingConverter;
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
