import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ObjectOf, Written, WrittenAs } from "@typekube/client";
import type { $ZodType, input, output } from "zod/v4/core";

type Primitive = bigint | boolean | number | string | symbol | null | undefined;

/** Integers of 64 bits are numbers, and `bigint` beyond 2^53. */
type Numbers<T> = T extends bigint
  ? bigint | number
  : T extends Primitive
    ? T
    : { [K in keyof T]: Numbers<T[K]> };

/**
 * The form in which a server stores a value: what zod returns, with the fields that have a default, except where zod
 * transforms the value: there, what zod takes.
 */
type Stored<In, Out> = [Out] extends [In]
  ? Numbers<Out>
  : Out extends Primitive
    ? Numbers<In>
    : In extends Primitive
      ? Numbers<In>
      : { [K in keyof Out]: K extends keyof In ? Stored<In[K], Out[K]> : Out[K] };

/** The type of a zod schema's values in an object that a server returns; fields with a default are present. */
export type StoredOf<Schema> = Schema extends $ZodType
  ? Stored<input<Schema>, output<Schema>>
  : never;

/** The type of a zod schema's values in an object that is created; fields with a default are optional. */
export type WrittenOf<Schema> = Schema extends $ZodType ? Numbers<input<Schema>> : never;

/** The status, if the definition has one. */
type StatusField<Status> = [Status] extends [never] ? unknown : { status?: Status | undefined };

/** A new object of a kind: fields with a default are optional. */
export type NewCustomObject<ApiVersion extends string, Kind extends string, Spec, Status> = Omit<
  KubeObject,
  "apiVersion" | "kind"
> & {
  apiVersion?: ApiVersion | undefined;
  kind?: Kind | undefined;
} & SpecField<Spec> &
  StatusField<Status>;

type SpecField<Spec> = [Spec] extends [never]
  ? unknown
  : undefined extends Spec
    ? { spec?: Spec }
    : { spec: Spec };

/** An object of a kind that is defined by zod schemas, as a server returns it. */
export type CustomObject<
  ApiVersion extends string,
  Kind extends string,
  SpecSchema,
  StatusSchema,
> = NewCustomObject<ApiVersion, Kind, StoredOf<SpecSchema>, StoredOf<StatusSchema>> &
  WrittenAs<NewCustomObject<ApiVersion, Kind, WrittenOf<SpecSchema>, WrittenOf<StatusSchema>>>;

/** The type of new objects of a descriptor; fields with a default are optional. */
export type NewObjectOf<D extends ResourceDescriptor> = Written<ObjectOf<D>>;
