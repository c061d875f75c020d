import type {
  MutatingAdmissionPolicy,
  ValidatingAdmissionPolicy,
} from "@typekube/api/admissionregistration/v1";

/** A case for the oracle: an expression, a schema with rules and an object, or a policy and a request. */
export interface OracleCase {
  /** A policy; `object` and `oldObject` are those of the request. */
  readonly validating?: ValidatingAdmissionPolicy;
  readonly mutating?: MutatingAdmissionPolicy;
  /** `request` of an AdmissionReview. */
  readonly request?: object;
  readonly params?: unknown;
  readonly namespaceObject?: unknown;
  /** The answer to all checks. */
  readonly authorizer?: { readonly decision: string; readonly reason?: string };

  readonly expression?: string;
  /** Variables by name: a type such as "list(int)", a value in JSON (numbers may be texts) and a size for estimates. */
  readonly variables?: Readonly<Record<string, OracleVariable>>;
  /** Version of the server, "1.37" by default. */
  readonly version?: string;
  /** "new" by default: what a server of the version before knows; "stored": everything. */
  readonly mode?: "new" | "stored";
  /** Adds the library of mutating policies. */
  readonly jsonpatch?: boolean;
  /** JSON schema with x-kubernetes-validations. */
  readonly schema?: object;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  /** Ignores errors of unchanged parts; true by default if there is an old object. */
  readonly ratcheting?: boolean;
  /** Units for all rules of the schema; 10,000,000 by default. */
  readonly budget?: number;
}

/** A variable of an expression. */
export interface OracleVariable {
  readonly type: string;
  readonly value: unknown;
  readonly size?: { readonly min: number; readonly max: number };
}

/** The outcome of a case. Integers of 64 bits are texts. */
export interface OracleAnswer {
  /** The oracle itself failed: the case is wrong. */
  readonly failure?: string;

  // Of an expression:
  readonly compileErrors?: readonly OracleCompileError[];
  /** All compile errors as a server writes them, with the source. */
  readonly compileText?: string;
  /** The error of a part that is constant. */
  readonly programError?: string;
  readonly type?: string;
  /** Bools, strings and lists as in JSON; others with their type: `{ int: "1" }`, `{ map: [[key, value]] }`. */
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: string;
  readonly estimate?: { readonly min: string; readonly max: string };

  // Of a policy:
  readonly decisions?: readonly unknown[];
  readonly annotations?: readonly unknown[];
  /** Why mutations failed. */
  readonly problems?: readonly string[];
  /** The object after the mutations. */
  readonly object?: unknown;

  // Of a schema:
  readonly schemaError?: string;
  readonly rules?: readonly OracleRule[];
  readonly errors?: readonly OracleFieldError[];
  /** Units that are left; negative if they did not suffice. */
  readonly remaining?: string;
}

/** A compile error; the line counts from 1, the column from 0. */
export interface OracleCompileError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A compiled rule of a schema. */
export interface OracleRule {
  /** Path of the schema, for example "spec.items[*]". */
  readonly path: string;
  readonly rule: string;
  readonly error?: string;
  readonly maxCost: string;
  readonly maxCardinality: string;
  readonly usesOldSelf?: boolean;
  readonly messageError?: string;
  readonly messageMaxCost?: string;
  readonly fieldPath?: string;
}

/** An error of a rule. */
export interface OracleFieldError {
  /** For example "FieldValueInvalid". */
  readonly type: string;
  readonly field: string;
  readonly detail: string;
  readonly badValue: unknown;
}
