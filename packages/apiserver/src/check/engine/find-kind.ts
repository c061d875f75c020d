import { lifecycleOf, lifecycleStage } from "@typekube/api/lifecycle";
import { formatApiVersion } from "@typekube/core";
import { getPath } from "../../objects/json-value.js";
import { definitionStorage, versionsOf } from "../../resources/definition.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { CheckRuleId } from "../model/check-rules.js";
import type { CheckServer } from "./check-server.js";
import { nearest } from "./nearest.js";

/** A kind of a server, or why it has none. */
export type FoundKind = { readonly resource: ServedResource } | { readonly problem: KindProblem };

/** Why a server has no such kind. */
export interface KindProblem {
  readonly rule: Extract<
    CheckRuleId,
    "not-served" | "removed-api" | "unknown-kind" | "unknown-version"
  >;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The field that is wrong. */
  readonly field: "apiVersion" | "kind";
}

/** Finds the resource that an object is created through. */
export function findKind(server: CheckServer, apiVersion: string, kind: string): FoundKind {
  const { registry } = server.context;
  const form = /^(?:([^/]+)\/)?([^/]+)$/.exec(apiVersion);
  if (form === null) {
    const message = `${JSON.stringify(apiVersion)} is not an apiVersion`;
    return problem("unknown-version", "apiVersion", message, "write VERSION or GROUP/VERSION");
  }
  const [, group = "", version = ""] = form;
  const resource = kindsOf(registry.ofVersion(group, version)).get(kind);
  if (resource !== undefined) {
    return { resource };
  }
  const release = `Kubernetes ${server.version}`;
  const life = lifecycleOf({ apiVersion, kind });
  const stage = life && lifecycleStage({ apiVersion, kind }, server.version);
  if (stage === "removed") {
    const { replacedBy, changes = [] } = life ?? {};
    const message = `${apiVersion} ${kind} is gone since Kubernetes ${life?.removed}`;
    const better = replacedBy && `use ${replacedBy.apiVersion} ${replacedBy.kind}`;
    const hint = [better, ...changes].filter((one) => one !== undefined).join("; ") || undefined;
    return problem("removed-api", "apiVersion", message, hint);
  }
  const served = registry.resources.filter((one) => one.kind === kind);
  const ofGroup = served.filter((one) => one.group === group);
  if (stage === "unreleased" && ofGroup.length === 0) {
    return problem(
      "unknown-version",
      "apiVersion",
      `${apiVersion} ${kind} is introduced in Kubernetes ${life?.introduced}`,
      `${release} does not have it`,
    );
  }
  if (isDefinedUnserved(server, group, version, kind)) {
    return problem(
      "not-served",
      "apiVersion",
      `${apiVersion} of ${kind} is not served: its definition has served: false`,
      ofGroup.length === 0 ? undefined : `served: ${namesOf(ofGroup)}`,
    );
  }
  if (registry.recognizes(apiVersion, kind)) {
    return problem(
      "unknown-version",
      "apiVersion",
      `${release} does not serve ${apiVersion} ${kind} by default`,
      served.length === 0
        ? "it must be enabled on the server; --allow-unknown accepts it unchecked"
        : `use ${namesOf(served)}`,
    );
  }
  if (served.length > 0) {
    const what = ofGroup.length > 0 ? `version ${version} of ${kind}` : `${kind} in ${apiVersion}`;
    const message = `${release} does not have ${what}`;
    return problem(
      "unknown-version",
      "apiVersion",
      message,
      `use ${namesOf(ofGroup.length > 0 ? ofGroup : served)}`,
    );
  }
  const inVersion = registry.ofVersion(group, version).map((one) => one.kind);
  const all = registry.resources.map((one) => one.kind);
  const near = [...new Set([...nearest(kind, inVersion), ...nearest(kind, all)])].slice(0, 3);
  const hint =
    near.length > 0
      ? `did you mean ${near.join(" or ")}?`
      : "add its CustomResourceDefinition to the input or with --crds, or accept it with --allow-unknown";
  return problem("unknown-kind", "kind", `unknown kind ${apiVersion} ${kind}`, hint);
}

const indexes = new WeakMap<readonly ServedResource[], ReadonlyMap<string, ServedResource>>();

/** Returns the resources of a version by kind. The first of a kind is the one that objects are created through. */
function kindsOf(resources: readonly ServedResource[]): ReadonlyMap<string, ServedResource> {
  let byKind = indexes.get(resources);
  if (byKind === undefined) {
    byKind = new Map([...resources].reverse().map((one) => [one.kind, one]));
    indexes.set(resources, byKind);
  }
  return byKind;
}

function problem(
  rule: KindProblem["rule"],
  field: KindProblem["field"],
  message: string,
  hint: string | undefined,
): { readonly problem: KindProblem } {
  return { problem: { rule, message, hint, field } };
}

function namesOf(resources: readonly ServedResource[]): string {
  return [...new Set(resources.map((one) => formatApiVersion(one)))].join(" or ");
}

/** Returns true when an installed definition has the version without serving it. */
function isDefinedUnserved(
  { context }: CheckServer,
  group: string,
  version: string,
  kind: string,
): boolean {
  for (const [, definition] of context.store.collection(definitionStorage).entries("")) {
    if (
      getPath(definition, "spec", "group") === group &&
      getPath(definition, "spec", "names", "kind") === kind
    ) {
      return versionsOf(definition).some(({ name, served }) => name === version && served !== true);
    }
  }
  return false;
}
