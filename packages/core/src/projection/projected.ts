import type { KubeObject } from "@typekube/api";
import type { ComputedField } from "./computed-fields.js";

/** Steps of a path from its text; `false` for one that is not a step, or not written yet. */
type Steps<P extends string> = P extends ""
  ? []
  : P extends `["${infer Rest}`
    ? Quoted<Rest>
    : P extends `.${infer Rest}`
      ? Rest extends "" | `.${string}` | `[${string}`
        ? [false]
        : Steps<Rest>
      : FirstName<P> extends infer Name extends string
        ? P extends `${Name}${infer Rest}`
          ? Name extends "" | `${string}${"]" | '"'}${string}`
            ? [false]
            : [Name, ...Steps<Rest>]
          : never
        : never;

/** Steps of a path after `["`: the key up to the next quote that is not escaped, and what follows it. */
type Quoted<P extends string, Before extends string = ""> = P extends `${infer Text}"${infer Rest}`
  ? Text extends `${infer Plain}\\${string}`
    ? P extends `${Plain}\\${infer Escaped}${infer More}`
      ? Escaped extends keyof Escapes
        ? Quoted<More, `${Before}${Plain}${Escapes[Escaped]}`>
        : [false]
      : never
    : Rest extends `]${infer Next}`
      ? Next extends "" | `.${string}` | `[${string}`
        ? [`${Before}${Text}`, ...Steps<Next>]
        : [false]
      : [false]
  : [false];

/** The characters after a backslash in a key, and what each means, as in JSON. The compiler cannot read `\u`. */
interface Escapes {
  '"': '"';
  "/": "/";
  "\\": "\\";
  b: "\b";
  f: "\f";
  n: "\n";
  r: "\r";
  t: "\t";
}

/** The text before the first dot or bracket. */
type FirstName<P extends string> = P extends `${infer Before}.${string}`
  ? Before extends `${infer Name}[${string}`
    ? Name
    : Before
  : P extends `${infer Name}[${string}`
    ? Name
    : P;

/** The value that a path leads through: the items of a list, without `undefined` and `null`. */
type Through<T> = NonNullable<T> extends readonly (infer Item)[] ? Through<Item> : NonNullable<T>;

/** Names that can come next in a path through an object; none for a scalar. */
type Names<T> = T extends object ? keyof T & string : never;

/** Type of a field. An index signature has every name. */
type Field<T, Name extends string> = T extends unknown
  ? Name extends keyof T
    ? T[Name]
    : string extends keyof T
      ? T[string & keyof T]
      : never
  : never;

/**
 * The path itself when it leads to a field; otherwise the paths up to the step that is wrong, followed by each name that
 * exists there. The compiler prints them, and editors offer them.
 */
type Checked<
  T,
  Rest extends readonly unknown[],
  P extends string,
  Before extends string,
> = unknown extends T // Anything may be in there.
  ? Rest extends readonly [...unknown[], false]
    ? `${Before}${AnyKey}`
    : P
  : Rest extends readonly [false]
    ? `${Before}${string extends Names<Through<T>> ? AnyKey : Step<Names<Through<T>>, Before>}`
    : Rest extends readonly [infer Name extends string, ...infer More]
      ? Name extends Names<Through<T>>
        ? More extends readonly []
          ? P
          : Checked<Field<Through<T>, Name>, More, P, `${Before}${Step<Name, Before>}`>
        : string extends Names<Through<T>>
          ? P
          : `${Before}${Step<Names<Through<T>>, Before>}`
      : P;

/** Stands for the key that is missing after a path to a map. */
type AnyKey = '["key"]';

/** A step as it is written after others. */
type Step<Name extends string, Before extends string> = Before extends "" ? Name : `.${Name}`;

/** Levels of fields that editors offer before a path is written. */
type OfferedLevels = 3;

/** Tells whether a type says nothing about objects of a kind: it has the fields of every object only. */
type IsAnyObject<T> = keyof T extends keyof KubeObject ? true : false;

/** The paths to the fields of the first levels; any text for objects whose fields are not known. */
type Offered<T, Before extends string = "", Level extends readonly unknown[] = [1]> =
  string extends Names<Through<T>>
    ? Before extends ""
      ? string
      : never
    : Names<Through<T>> extends infer Name
      ? Name extends Names<Through<T>>
        ?
            | `${Before}${Step<Name, Before>}`
            | (Level["length"] extends OfferedLevels
                ? never
                : Offered<Field<Through<T>, Name>, `${Before}${Step<Name, Before>}`, [...Level, 1]>)
        : never
      : never;

/**
 * A path of fields in objects of a type, `spec.containers.image`: the path itself when it leads to a field, otherwise the
 * paths that exist up to the step that is wrong. For any text, the paths of the first levels: editors offer them. A
 * path from `computedFields` is accepted as it is.
 */
export type FieldPathOf<T, P extends string> =
  | (P extends ComputedField
      ? P
      : string extends P
        ? never
        : P extends "" | `.${string}`
          ? never
          : IsAnyObject<T> extends true
            ? P
            : Checked<T, Steps<P>, P, "">)
  | (string extends P ? Offered<T> : never);

/** Fields that every projection has. */
type IdentityField =
  | "apiVersion"
  | "kind"
  | "metadata.creationTimestamp"
  | "metadata.deletionTimestamp"
  | "metadata.name"
  | "metadata.namespace"
  | "metadata.resourceVersion"
  | "metadata.uid";

/** The rest of each path that begins with a name. */
type After<S, Name> = S extends readonly [infer First, ...infer Rest extends readonly string[]]
  ? Name extends First
    ? Rest
    : never
  : never;

/** Names with which the paths begin. */
type Heads<S> = S extends readonly [infer First extends string, ...unknown[]] ? First : never;

/** The part of a value that some paths keep. */
type Kept<T, S> = [] extends S
  ? T
  : T extends readonly (infer Item)[]
    ? Kept<Item, S>[]
    : T extends object
      ? KeptNames<T, S> & KeptKeys<T, S>
      : T;

type KeptNames<T, S> = {
  [Name in keyof T as string extends Name ? never : Name extends Heads<S> ? Name : never]: Kept<
    T[Name],
    After<S, Name>
  >;
};

/** The keys of a map that are kept. */
type KeptKeys<T, S> = string extends keyof T
  ? { [Key in Exclude<Heads<S>, KnownNames<T>>]?: Kept<T[string & keyof T], After<S, Key>> }
  : unknown;

type KnownNames<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: 0 };

/** Marks the type of a projected object; never present at run time. */
declare const projected: unique symbol;

/** The common part of the types of all projected objects. No call that sends a whole object takes them. */
export interface ProjectedObject<W = unknown> {
  /** The type of the whole object. */
  readonly [projected]: W;
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: { name?: string | undefined } | undefined;
}

/** Refuses the types of projected objects, and of their metadata; never present at run time. */
export interface Unprojected {
  readonly [projected]?: never;
}

/** Refuses the types of projected objects, and of objects with the metadata of one: a call sends all of the object. */
export interface SentWhole extends Unprojected {
  /** Metadata that lacks no fields. */
  readonly metadata?: Unprojected | undefined;
}

/** The mark of the metadata of a projected object. Metadata that a path keeps as a whole has none. */
type MarkedMetadata<S> = ["metadata"] extends S
  ? unknown
  : { readonly metadata?: { readonly [projected]: unknown } | undefined };

/**
 * An object of which a read kept some fields only: those of the paths `F`, and what identifies the object. Another
 * field is not there, and a compile error. It can't be written as a whole, and neither can another object with its
 * metadata.
 */
export type Projected<T extends KubeObject, F extends string = never> = Kept<
  T,
  Steps<Exclude<F, ComputedField> | IdentityField>
> &
  MarkedMetadata<Steps<Exclude<F, ComputedField>>> &
  ProjectedObject<T>;
