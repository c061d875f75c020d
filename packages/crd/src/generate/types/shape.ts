/** The type of a value, before types have names. */
export type Shape =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "import"; readonly name: ImportedType }
  | { readonly type: "list" | "map"; readonly of: Shape }
  | { readonly type: "union"; readonly of: readonly Shape[] }
  | { readonly type: "declared"; readonly declaration: Declaration };

/** An interface, or a type with variants, that a module declares. */
export interface Declaration {
  /** Path of the schema: the kind, then properties, {@link itemPart} and {@link valuePart}. */
  readonly path: readonly string[];
  readonly comment: readonly string[];
  readonly fields: readonly Field[];
  /** `true` when fields without a declaration are allowed. */
  readonly isOpen: boolean;
  /** `true` when the object is an API object itself. */
  readonly isEmbedded: boolean;
  /** Lists of variants of which one applies each. */
  readonly variants: readonly (readonly Variant[])[];
}

/** A field of a declaration. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly shape: Shape;
  readonly comment: readonly string[];
}

/** Fields that occur together. */
export interface Variant {
  readonly required: readonly string[];
  readonly absent: readonly string[];
  /** Literal types to which fields are narrowed, as source text. */
  readonly values: ReadonlyMap<string, string>;
}

/** Types that modules import, with their modules. */
export const importedTypes = {
  KubeList: "typekube",
  KubeObject: "typekube",
  ResourceDescriptor: "typekube",
  SubresourceDescriptor: "typekube",
  UnknownKind: "typekube",
  Verb: "typekube",
  Quantity: "typekube/api/api/resource",
  Scale: "typekube/api/autoscaling/v1",
  Condition: "typekube/api/meta/v1",
  DeleteOptions: "typekube/api/meta/v1",
  LabelSelector: "typekube/api/meta/v1",
  LabelSelectorRequirement: "typekube/api/meta/v1",
  ListMeta: "typekube/api/meta/v1",
  ManagedFieldsEntry: "typekube/api/meta/v1",
  ObjectMeta: "typekube/api/meta/v1",
  OwnerReference: "typekube/api/meta/v1",
  Status: "typekube/api/meta/v1",
} as const;

/** Name of a type that modules import. */
export type ImportedType = keyof typeof importedTypes;

/** Part of a path for the items of a list. No property has this name. */
export const itemPart = "\0item";

/** Part of a path for the values of a map. No property has this name. */
export const valuePart = "\0value";

/** Returns a shape of source text. */
export function textShape(text: string): Shape {
  return { type: "text", text };
}
