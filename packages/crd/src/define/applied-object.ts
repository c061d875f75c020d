import type { KubeObject } from "@typekube/api";
import type { DeepPartial } from "@typekube/client";
import type { $ZodType, input, output, util } from "zod/v4/core";
import type { ListMapKeys, listMapKeys } from "../helpers/list-map-keys.js";
import type { Numbers, WrittenOf } from "./schema-values.js";

/** A zod schema whose definition extends `Def`. */
interface SchemaOf<Def> {
  readonly _zod: { readonly def: Def };
}

type Transparent = "catch" | "default" | "nonoptional" | "optional" | "prefault" | "readonly";

/**
 * The type of a zod schema's values in an object that is applied: every field is optional at any depth, except for the
 * keys of the items of a `listMap`, by which a server finds the item. Keys with a default stay optional.
 */
export type AppliedOf<Schema> = typeof listMapKeys extends keyof Schema
  ? AppliedListMap<Schema>
  : Schema extends SchemaOf<{ readonly type: Transparent; readonly innerType: infer Inner }>
    ? AppliedOf<Inner>
    : Schema extends SchemaOf<{ readonly type: "nullable"; readonly innerType: infer Inner }>
      ? AppliedOf<Inner> | null
      : Schema extends SchemaOf<{ readonly type: "array"; readonly element: infer Item }>
        ? readonly AppliedOf<Item>[]
        : Schema extends SchemaOf<{ readonly type: "object"; readonly shape: infer Shape }>
          ? AppliedFields<Shape, Schema>
          : AppliedCombined<Schema>;

type AppliedCombined<Schema> =
  Schema extends SchemaOf<{
    readonly type: "union";
    readonly options: infer Options extends readonly unknown[];
  }>
    ? util.JSONType extends input<Schema>
      ? WrittenOf<Schema>
      : AppliedOf<Options[number]>
    : Schema extends SchemaOf<{
          readonly type: "intersection";
          readonly left: infer Left;
          readonly right: infer Right;
        }>
      ? AppliedOf<Left> & AppliedOf<Right>
      : Schema extends SchemaOf<{
            readonly type: "record";
            readonly keyType: infer Key;
            readonly valueType: infer Value;
          }>
        ? { [K in output<Key> & PropertyKey]?: AppliedOf<Value> | undefined }
        : DeepPartial<WrittenOf<Schema>>;

type AppliedFields<Shape, Schema> = {
  [K in keyof Shape]?: AppliedOf<Shape[K]> | undefined;
} & (string extends keyof input<Schema> ? { [field: string]: unknown } : unknown);

type AppliedListMap<Schema> =
  Schema extends ListMapKeys<infer Keys>
    ? Schema extends SchemaOf<{ readonly element: infer Item extends $ZodType }>
      ? readonly (AppliedOf<Item> & Numbers<Pick<input<Item>, Keys & keyof input<Item>>>)[]
      : never
    : never;

type AppliedPart<Name extends string, Schema> = [Schema] extends [never]
  ? unknown
  : { [K in Name]?: AppliedOf<Schema> | undefined };

/** An object of a kind that is defined by zod schemas, as it is applied. */
export type AppliedCustomObject<
  ApiVersion extends string,
  Kind extends string,
  SpecSchema,
  StatusSchema,
> = {
  apiVersion?: ApiVersion | undefined;
  kind?: Kind | undefined;
  metadata?: DeepPartial<KubeObject["metadata"]>;
} & AppliedPart<"spec", SpecSchema> &
  AppliedPart<"status", StatusSchema>;
