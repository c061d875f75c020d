import type { CelLibrary } from "../../functions/library.js";
import { standardMacros } from "../../syntax/standard-macros.js";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from "../../values/cel-type.js";
import { arithmetic } from "./arithmetic.js";
import { collections } from "./collections.js";
import { conversions } from "./conversions.js";
import { logic } from "./logic.js";
import { relations } from "./relations.js";
import { text } from "./text.js";
import { times } from "./times.js";

/** The functions, operators, macros and types of the language itself. */
export const standardLibrary: CelLibrary = {
  name: "standard",
  functions: [
    ...logic,
    ...arithmetic,
    ...relations,
    ...collections,
    ...conversions,
    ...text,
    ...times,
  ],
  macros: standardMacros,
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listType(dynType),
    mapType(dynType, dynType),
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
  ],
};
