import type { FieldFacts, LifecycleFacts, ResourceFacts, TypeFacts } from "./facts.js";

/** `v1.Pod` as the upstream reference anchors it: `#pod-v1-core`. */
export function referenceLink(release: string, resource: ResourceFacts): string {
  const [version = "", group = ""] = resource.apiVersion.split("/").reverse();
  const anchor = `${resource.kind}-${version}-${group === "" ? "core" : group}`;
  const minor = release.split(".").slice(0, 2).join(".");
  return `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${minor}/#${anchor
    .toLowerCase()
    .replaceAll(".", "-")}`;
}

/** Whether a release is that of the facts or earlier. */
export function hasHappened(version: string | undefined, release: string): boolean {
  const minor = (text: string): number => Number(text.split(".")[1]);
  return version !== undefined && minor(version) <= minor(release);
}

/** The comment over a type: where it is documented and when it came and goes. */
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

/** The comment over a field, where there is something to say that its type does not. */
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
