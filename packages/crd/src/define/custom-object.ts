import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { AppliedAs, ObjectOf, SelectableBy, Written, WrittenAs } from "@typekube/client";
import type { AppliedCustomObject } from "./applied-object.js";
import type { StoredOf, WrittenOf } from "./schema-values.js";

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
  SelectablePath extends string = never,
> = NewCustomObject<ApiVersion, Kind, StoredOf<SpecSchema>, StoredOf<StatusSchema>> &
  WrittenAs<NewCustomObject<ApiVersion, Kind, WrittenOf<SpecSchema>, WrittenOf<StatusSchema>>> &
  AppliedAs<AppliedCustomObject<ApiVersion, Kind, SpecSchema, StatusSchema>> &
  SelectableBy<FieldOfPath<SelectablePath>>;

/** The name in field selectors of a path: `spec.color` for `.spec.color`. */
type FieldOfPath<Path> = Path extends `.${infer Field}` ? Field : Path;

/** The type of new objects of a descriptor; fields with a default are optional. */
export type NewObjectOf<D extends ResourceDescriptor> = Written<ObjectOf<D>>;
