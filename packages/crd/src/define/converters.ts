import type { KubeObject } from "@typekube/api";
import type { Written } from "@typekube/client";
import type { $ZodType } from "zod/v4/core";
import type { CustomObject } from "./custom-object.js";
import type { DefinitionProblem } from "./describe-problems.js";

/** Converts between another version of a kind and the version that the definition describes, the hub. */
export interface Converter<Spoke, Hub> {
  /**
   * Returns the object in the version of the definition. Of the metadata only labels and annotations may differ; without
   * `metadata` it stays as it is. `apiVersion` and `kind` are filled in.
   */
  toHub(object: Spoke): Converted<Hub>;
  /** Returns an object of the definition in this version, under the same rules. */
  fromHub(object: Hub): Converted<Spoke>;
}

/** A converter without the types of its versions. */
export type AnyConverter = Converter<KubeObject, KubeObject>;

/** The result of a converter: any `apiVersion` and `kind` are replaced. */
type Converted<T> =
  Written<T> extends infer Object
    ? Object extends unknown
      ? Omit<Object, "apiVersion" | "kind"> & Pick<KubeObject, "apiVersion" | "kind">
      : never
    : never;

/** Object of another version; its spec and status are those of its zod schemas. */
export type VersionObject<Group extends string, Kind extends string, Version> = Version extends {
  readonly name: infer Name extends string;
}
  ? Version extends { readonly schema: object }
    ? KubeObject & { [field: string]: unknown }
    : CustomObject<`${Group}/${Name}`, Kind, SchemaIn<Version, "spec">, SchemaIn<Version, "status">>
  : never;

type SchemaIn<Version, Part extends string> = Version extends {
  readonly [P in Part]: infer Schema extends $ZodType;
}
  ? Schema
  : never;

/** The converters of all other versions. */
export type ConvertersOf<
  Group extends string,
  Kind extends string,
  Hub,
  Versions extends readonly { readonly name: string }[],
> = {
  readonly [Name in Versions[number]["name"]]: Converter<
    VersionObject<Group, Kind, Extract<Versions[number], { readonly name: Name }>>,
    Hub
  >;
};

/** Returns the problems of converters: each other version needs both functions, and a server must call them. */
export function converterProblems(
  convert: Readonly<Record<string, unknown>> | undefined,
  versions: readonly { readonly name: string }[],
  strategy: string | undefined,
): readonly DefinitionProblem[] {
  if (convert === undefined) {
    return [];
  }
  const names = versions.map(({ name }) => name);
  const incomplete = names.filter((name) => !isConverter(convert[name]));
  const unknown = Object.keys(convert).filter((name) => !names.includes(name));
  const neverRuns = {
    path: "conversion.strategy",
    problem:
      "the converters in convert would never run: servers with the strategy None change the apiVersion only",
    hint: "leave conversion out, or use the strategy Webhook",
  };
  return [
    ...(strategy === "None" ? [neverRuns] : []),
    ...incomplete.map((name) => ({
      path: `convert.${name}`,
      problem: "the version needs toHub and fromHub",
    })),
    ...unknown.map((name) => ({
      path: `convert.${name}`,
      problem: "versions has no such version",
      hint: "the version of the definition itself is the hub, and needs no converter",
    })),
  ];
}

function isConverter(value: unknown): boolean {
  const { toHub, fromHub } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof toHub === "function" && typeof fromHub === "function";
}
