import { hasHappened, referenceLink } from "./doc-comments.js";
import type {
  Facts,
  LifecycleFacts,
  PackageFacts,
  ResourceFacts,
  SubresourceFacts,
} from "./facts.js";
import { hasMessage } from "./protobuf-tables.js";
import { literal, propertyName, stringUnion } from "./source-text.js";
import type { TypeImports } from "./type-imports.js";

const allVerbs = "create,delete,deletecollection,get,list,patch,update,watch";

/** Writes the descriptor of a resource: its type with all literals, and its data. */
export function descriptor(
  facts: Facts,
  of: PackageFacts,
  resource: ResourceFacts,
  imports: TypeImports,
): string {
  const { kind } = resource;
  const subresourceTypes = resource.subresources.map(
    (sub) =>
      `  readonly ${propertyName(sub.resource)}: SubresourceDescriptor<${bodyType(facts, of, sub, imports)}, ${stringUnion(sub.verbs)}>;\n`,
  );
  const subresources = subresourceTypes.length === 0 ? "{}" : `{\n${subresourceTypes.join("")}}`;
  return (
    `${deprecated(facts, resource)}export const ${kind}: ` +
    `ResourceDescriptor<${kind}, "${resource.scope}", ${verbType(resource.verbs)}, ${subresources}> = {\n` +
    `${data(facts, of, resource)}};\n`
  );
}

function verbType(verbs: readonly string[]): string {
  return [...verbs].sort().join() === allVerbs ? "Verb" : stringUnion(verbs);
}

/** Returns the type of a subresource's body; `unknown` where upstream has no type of that name. */
function bodyType(
  facts: Facts,
  of: PackageFacts,
  sub: SubresourceFacts,
  imports: TypeImports,
): string {
  const body = facts.byApiVersion.get(sub.bodyApiVersion);
  if (body === undefined || !facts.types.has(`${body.name}.${sub.kind}`)) {
    return "unknown";
  }
  return body === of ? sub.kind : imports.use(body.name, sub.kind);
}

function deprecated(facts: Facts, resource: ResourceFacts): string {
  const found = lifecycle(facts, resource);
  return hasHappened(found?.deprecated, facts.release) ? "/** @deprecated */\n" : "";
}

function lifecycle(facts: Facts, resource: ResourceFacts): LifecycleFacts | undefined {
  return facts.lifecycles.find(
    (row) => row.apiVersion === resource.apiVersion && row.kind === resource.kind,
  );
}

function data(facts: Facts, of: PackageFacts, resource: ResourceFacts): string {
  const [version = "", group = ""] = resource.apiVersion.split("/").reverse();
  const { apiVersion, kind } = resource;
  const stages = lifecycle(facts, resource);
  const names = {
    group,
    version,
    apiVersion,
    kind,
    listKind: resource.verbs.includes("list") ? listKind(facts, of, kind) : undefined,
    plural: resource.resource,
    singular: resource.singular,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    scope: resource.scope,
    verbs: resource.verbs,
  };
  const subresources = resource.subresources.map(
    (sub) =>
      `    ${propertyName(sub.resource)}: ${literal({ apiVersion: sub.bodyApiVersion, kind: sub.kind, verbs: sub.verbs })},\n`,
  );
  return [
    ...Object.entries(names)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `  ${key}: ${literal(value)},\n`),
    subresources.length === 0
      ? "  subresources: {},\n"
      : `  subresources: {\n${subresources.join("")}  },\n`,
    `  protobuf: ${hasMessage(facts, of, kind)},\n`,
    `  reference: ${literal(referenceLink(facts.release, resource))},\n`,
    stages === undefined
      ? ""
      : `  lifecycle: ${literal({ ...stages, apiVersion: undefined, kind: undefined })},\n`,
  ].join("");
}

function listKind(facts: Facts, of: PackageFacts, kind: string): string {
  if (!facts.types.has(`${of.name}.${kind}List`)) {
    throw new Error(`${of.name}.${kind} can be listed but has no ${kind}List`);
  }
  return `${kind}List`;
}
