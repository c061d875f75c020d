import { readStructuralSchema } from "@typekube/schema";
import type { KindSource } from "../source/kind-source.js";
import { kindIdentifier } from "../text/identifiers.js";
import { stringLiteral } from "../text/source-text.js";
import { printDeclaration, printObjectType } from "../types/print-type.js";
import { readFields, type ShapeContext } from "../types/read-shape.js";
import { readVariants } from "../types/read-variants.js";
import { type Field, textShape } from "../types/shape.js";
import { claimName, nameDeclarations } from "../types/type-names.js";
import { printDescriptor } from "./descriptor-text.js";
import { factsText } from "./facts-text.js";
import { kindComment } from "./kind-comment.js";
import { ModuleImports } from "./module-imports.js";

/** Options of {@link kindModule}. */
export interface KindModuleOptions {
  readonly int64: "bigint" | "number";
  /** First lines of the module. */
  readonly header: string;
  /** `true` to make the kinds known to calls that name them by apiVersion and kind. */
  readonly augments: boolean;
}

/** Returns the module of one group-version: the types and descriptors of its kinds, in the order of their names. */
export function kindModule(
  sources: readonly KindSource[],
  { int64, header, augments }: KindModuleOptions,
): string {
  const taken = new Set<string>();
  const kinds = sources.map((source) => ({
    source,
    name: claimName([kindIdentifier(source.kind)], taken),
  }));
  const lists = new Map(
    kinds.map(({ source }) => [source, claimName([kindIdentifier(source.listKind)], taken)]),
  );
  const facts = new Map(
    kinds.map(({ source }) => [source, claimName([`${kindIdentifier(source.kind)}Facts`], taken)]),
  );
  const imports = new ModuleImports(taken);
  const byComponent: ShapeContext["byComponent"] = new Map();
  const read = kinds.map(({ source, name }) => {
    const context = { int64, components: source.components, declarations: [], byComponent };
    return { source, name, context, root: readRoot(source, context) };
  });
  const declarations = read.map(({ context }) => context.declarations);
  const declared = nameDeclarations(declarations.flat(), taken);
  const names = {
    of: (one: Parameters<typeof printDeclaration>[0]) => declared.get(one) ?? "unknown",
    imported: (name: Parameters<ModuleImports["use"]>[0]) => imports.use(name),
  };
  const texts = read.flatMap(({ source, name, context, root }) => [
    printObjectType(name, { ...root, comment: kindComment(source), base: undefined, names }),
    printDescriptor(source, name, imports),
    ...[factsText(source, facts.get(source) ?? "", name)].filter((text) => text !== ""),
    listText(source, lists.get(source) ?? "", name, imports),
    ...context.declarations.map((one) => printDeclaration(one, names)),
  ]);
  const augmentation = augments ? [augmentationText(kinds)] : [];
  const importTexts = `${imports.text()}${augments ? augmentedImport : ""}`;
  return `${header}${[importTexts, ...texts, ...augmentation].join("\n")}`;
}

/** Returns the fields of a kind: its own apiVersion, kind and metadata, and those of its schema. */
function readRoot(source: KindSource, context: ShapeContext) {
  const { group, version, kind } = source;
  const schema = readStructuralSchema(source.schema);
  const own = ["apiVersion", "kind", "metadata"];
  const fields: Field[] = [
    optionalField("apiVersion", group === "" ? version : `${group}/${version}`),
    optionalField("kind", kind),
    {
      name: "metadata",
      isRequired: schema.required.includes("metadata"),
      shape: { type: "import", name: "ObjectMeta" },
      comment: [],
    },
    ...readFields(schema, [kind], context, own),
  ];
  const isOpen = schema.preserveUnknownFields;
  return { fields, isOpen, variants: readVariants(schema) };
}

/** Returns a field that clients fill in, so that programs may leave it out. */
function optionalField(name: string, value: string): Field {
  return { name, isRequired: false, shape: textShape(stringLiteral(value)), comment: [] };
}

function listText(source: KindSource, list: string, name: string, imports: ModuleImports): string {
  const apiVersion = source.group === "" ? source.version : `${source.group}/${source.version}`;
  return `export interface ${list} extends ${imports.use("KubeList")}<${name}> {
  apiVersion: ${stringLiteral(apiVersion)};
  kind: ${stringLiteral(source.listKind)};
}
`;
}

/** The import without which compilers do not find the module that is augmented. */
const augmentedImport = `import type {} from "typekube/types";\n`;

/** Adds the kinds to those that the client knows by apiVersion and kind. */
function augmentationText(
  kinds: readonly { readonly source: KindSource; readonly name: string }[],
): string {
  const [first] = kinds;
  const { group = "", version = "" } = first?.source ?? {};
  const entries = kinds.map(
    ({ source, name }) => `      ${stringLiteral(source.kind)}: ${name};\n`,
  );
  return `declare module "typekube/types" {
  interface BuiltInKinds {
    ${stringLiteral(group === "" ? version : `${group}/${version}`)}: {
${entries.join("")}    };
  }
}
`;
}
