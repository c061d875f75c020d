import type { ResourceDescriptor } from "@typekube/api";
import { isForbidden, KubeError } from "@typekube/core";
import { groupOf, kindId } from "../definition/any-kind.js";
import type { DeclaredKind } from "../definition/kind-choice.js";

/**
 * Returns the error of a controller whose cache was not complete in time. It names what is missing; for a right, with
 * the rule that grants it.
 */
export function syncError(
  controller: string,
  kind: DeclaredKind,
  descriptor: ResourceDescriptor | undefined,
  cause: unknown,
): KubeError {
  const failure = KubeError.from(cause);
  const where =
    kind.namespaces === undefined
      ? ""
      : ` in the namespaces ${kind.namespaces.map((name) => `"${name}"`).join(", ")}`;
  return new KubeError(
    failure.code,
    `the controller ${controller} cannot read ${kindId(kind.kind)}${where}: ${failure.rawMessage}`,
    {
      cause,
      hint: isForbidden(failure)
        ? `its role needs this rule:\n${ruleFor(kind, descriptor)}`
        : failure.hint,
      status: failure.status,
      httpStatus: failure.httpStatus,
    },
  );
}

/** Returns the rule of a role, as YAML, that lets a controller cache a kind. */
function ruleFor({ kind }: DeclaredKind, descriptor: ResourceDescriptor | undefined): string {
  const plural = descriptor?.plural ?? `<plural of ${kind.kind}>`;
  return [
    `- apiGroups: ["${groupOf(kind)}"]`,
    `  resources: ["${plural}"]`,
    '  verbs: ["get", "list", "watch"]',
  ].join("\n");
}
