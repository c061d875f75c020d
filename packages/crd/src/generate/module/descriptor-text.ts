import type { KindSource, SubresourceSource } from "../source/kind-source.js";
import { docComment } from "../text/doc-comment.js";
import { literal, propertyName, stringLiteral, valueKey } from "../text/source-text.js";
import { deprecationText } from "./kind-comment.js";
import type { ModuleImports } from "./module-imports.js";

const allVerbs = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** Returns the descriptor of a kind as source text. It has the name of the kind's type. */
export function printDescriptor(source: KindSource, name: string, imports: ModuleImports): string {
  const { group, version, kind, scope } = source;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const subresources = Object.entries(source.subresources);
  const verbs = [...source.verbs].sort();
  const verbType =
    verbs.join() === allVerbs.join()
      ? imports.use("Verb")
      : verbs.map(stringLiteral).join(" | ") || "never";
  const types = subresources.map(
    ([subresource, one]) =>
      `  readonly ${propertyName(subresource)}: ${subresourceType(one, source, name, imports)};\n`,
  );
  const values = subresources.map(
    ([subresource, one]) => `    ${valueKey(subresource)}: ${literal(one)},\n`,
  );
  const subType = types.length === 0 ? "{}" : `{\n${types.join("")}}`;
  return `${docComment(deprecationText(source))}export const ${name}: ${imports.use("ResourceDescriptor")}<${name}, ${stringLiteral(scope)}, ${verbType}, ${subType}> = {
  group: ${stringLiteral(group)},
  version: ${stringLiteral(version)},
  apiVersion: ${stringLiteral(apiVersion)},
  kind: ${stringLiteral(kind)},
  listKind: ${stringLiteral(source.listKind)},
  plural: ${stringLiteral(source.plural)},
  singular: ${stringLiteral(source.singular)},
  shortNames: ${literal(source.shortNames)},
  categories: ${literal(source.categories)},
  scope: ${stringLiteral(scope)},
  verbs: ${literal(verbs)},
  subresources: ${values.length === 0 ? "{}" : `{\n${values.join("")}  }`},
  protobuf: false,
};
`;
}

function subresourceType(
  { apiVersion, kind, verbs }: SubresourceSource,
  source: KindSource,
  name: string,
  imports: ModuleImports,
): string {
  const own = source.group === "" ? source.version : `${source.group}/${source.version}`;
  const isScale = apiVersion === "autoscaling/v1" && kind === "Scale";
  const isOwn = apiVersion === own && kind === source.kind;
  const body = isOwn ? name : imports.use(isScale ? "Scale" : "UnknownKind");
  const verbType = [...verbs].sort().map(stringLiteral).join(" | ") || "never";
  return `${imports.use("SubresourceDescriptor")}<${body}, ${verbType}>`;
}
