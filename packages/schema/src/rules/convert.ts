import type { CelResult } from "@typekube/cel";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** Converts a part of a custom resource when it is read, by its schema. */
export type Convert = (value: unknown, schema: StructuralSchema) => CelResult;
