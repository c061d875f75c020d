import type { FieldFacts, LifecycleFacts, ResourceFacts, TypeFacts } from "./facts.js";

/** Returns the link to a resource in the upstream reference, whose anchor for `v1.Pod` is `#pod-v1-core`. */
export function referenceLink(release: string, resource: ResourceFacts): string {
  const [version = "", group = ""] = resource.apiVersion.split("/").reverse();
  const anchor = `${resource.kind}-${version}-${group === "" ? "core" : group}`;
  const minor = release.split(".").slice(0, 2).join(".");
  return `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${minor}/#${anchor
    .toLowerCase()
    .replaceAll(".", "-")}`;
}

/** Returns whether `version` is not later than `release`. */
export function hasHappened(version: string | undefined, release: string): boolean {
  const minor = (text: string): number => Number(text.split(".")[1]);
  return version !== undefined && minor(version) <= minor(release);
}

/** Writes the comment of a type: its lifecycle and its reference page. */
export function typeComment(
  type: TypeFacts,
  release: string,
  lifecycle: LifecycleFacts | undefined,
  link: string | undefined,
): string {
  const stages = [
    lifecycle?.introduced && `Introduced in ${lifecycle.introduced}`,
    lifecycle?.deprecated && `deprecated in ${lifecycle.deprecated}`,
    lifecycle?.removed && `removed in ${lifecycle.removed}`,
  ].filter((stage) => stage !== undefined && stage !== "");
  const lines = [
    ...(stages.length > 0 ? [`${stages.join(", ")}.`] : []),
    ...(link === undefined ? [] : [`@see ${link}`]),
    ...deprecation(type, release, lifecycle),
  ];
  if (lines.length === 0) {
    return "";
  }
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}

function deprecation(
  type: TypeFacts,
  release: string,
  lifecycle: LifecycleFacts | undefined,
): string[] {
  if (type.deprecated !== true && !hasHappened(lifecycle?.deprecated, release)) {
    return [];
  }
  const by = lifecycle?.replacedBy;
  return [by === undefined ? "@deprecated" : `@deprecated Use ${by.apiVersion} ${by.kind}.`];
}

/** Writes the comment of a field; empty when it would add nothing to the field's type. */
export function fieldComment(field: FieldFacts): string {
  const keys = field.listMapKeys?.join(", ");
  const parts = [
    field.listType === "map" && `One item per ${keys ?? "key"}.`,
    field.listType === "set" && "Items are unique.",
    field.format === "int64" && "int64.",
    field.type.endsWith("bytes") && "base64.",
    field.default !== undefined && `Default: ${JSON.stringify(field.default)}.`,
  ].filter((part) => part !== false);
  if (field.deprecated === true) {
    return parts.length === 0
      ? "  /** @deprecated */\n"
      : `  /**\n   * ${parts.join(" ")}\n   * @deprecated\n   */\n`;
  }
  return parts.length === 0 ? "" : `  /** ${parts.join(" ")} */\n`;
}
