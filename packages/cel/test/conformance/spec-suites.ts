import { tests as checking } from "@bufbuild/cel-spec/testdata/checking.js";
import { tests as comprehensions } from "@bufbuild/cel-spec/testdata/comprehension.js";
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import { tests as parsing } from "@bufbuild/cel-spec/testdata/parsing.js";

/** The suites of cel-spec. */
export const specSuites = { conformance, parsing, checking, comprehensions } as const;
