import type { CelLibrary } from "../../functions/library.js";
import { distinct, reverse } from "./distinct.js";
import { flatten } from "./flatten.js";
import { range } from "./range.js";
import { slice } from "./slice.js";
import { sort, sortByAssociatedKeys } from "./sort.js";
import { sortByMacro } from "./sort-by-macro.js";

/** Version 3 of cel-go's functions of lists: new lists made of lists. */
export const listTransformsLibrary: CelLibrary = {
  name: "cel.lib.ext.lists",
  functions: [slice, flatten, sort, sortByAssociatedKeys, range, reverse, distinct],
  macros: [sortByMacro],
};
