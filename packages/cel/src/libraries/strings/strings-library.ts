import type { CelLibrary } from "../../functions/library.js";
import { format } from "./format.js";
import { indexOf, lastIndexOf } from "./index-of.js";
import { join0, join2 } from "./join.js";
import { lowerAscii, upperAscii } from "./letter-case.js";
import { quote } from "./quote.js";
import { replace } from "./replace.js";
import { split } from "./split.js";
import { charAt, substring } from "./substring.js";
import { trim } from "./trim.js";

const name = "cel.lib.ext.strings";
const functions = [
  charAt,
  indexOf,
  lastIndexOf,
  lowerAscii,
  replace,
  split,
  substring,
  trim,
  upperAscii,
];

/** Version 0 of cel-go's functions of strings, in Kubernetes until 1.28. */
export const stringsLibrary0: CelLibrary = { name, functions: [...functions, join0] };

/** Version 2, from Kubernetes 1.29 on: with `format` and `strings.quote`. */
export const stringsLibrary2: CelLibrary = {
  name,
  functions: [...functions, format, quote, join2],
};
