import type { Expression } from "../../syntax/expression.js";
import type { Macro, MacroBuilder } from "../../syntax/macro.js";
import { operators } from "../../syntax/operators.js";
import { type LoopArguments, loopMacro } from "./loop-macros.js";
import { mapInsertName } from "./map-insert.js";

/** The macros with two variables: index and element of a list, or key and value of a map. */
export const twoVariableMacros: readonly Macro[] = [
  loopMacro("all", 3, (build, { body }) => ({
    initial: build.literal(true),
    condition: build.call(operators.notStrictlyFalse, build.accumulator()),
    step: build.call(operators.and, build.accumulator(), body),
    result: build.accumulator(),
  })),
  loopMacro("exists", 3, (build, { body }) => ({
    initial: build.literal(false),
    condition: build.call(
      operators.notStrictlyFalse,
      build.call(operators.not, build.accumulator()),
    ),
    step: build.call(operators.or, build.accumulator(), body),
    result: build.accumulator(),
  })),
  existsOne("existsOne"),
  existsOne("exists_one"),
  ...transformation(
    "transformList",
    (build) => build.list(),
    (build, { body }) => build.call(operators.add, build.accumulator(), build.list(body)),
  ),
  ...transformation(
    "transformMap",
    (build) => build.emptyMap(),
    (build, { body, key }) =>
      build.call(mapInsertName, build.accumulator(), build.identifier(key), body),
  ),
  ...transformation(
    "transformMapEntry",
    (build) => build.emptyMap(),
    (build, { body }) => build.call(mapInsertName, build.accumulator(), body),
  ),
];

function existsOne(name: string): Macro {
  return loopMacro(name, 3, (build, { body }) => ({
    initial: build.literal(0),
    condition: build.literal(true),
    step: build.call(
      operators.conditional,
      body,
      build.call(operators.add, build.accumulator(), build.literal(1)),
      build.accumulator(),
    ),
    result: build.call(operators.equal, build.accumulator(), build.literal(1)),
  }));
}

/** A macro that collects the results of its body, and the same with a filter. */
function transformation(
  name: string,
  initial: (build: MacroBuilder) => Expression,
  collect: (build: MacroBuilder, args: LoopArguments) => Expression,
): readonly Macro[] {
  return ([3, 4] as const).map((argumentCount) =>
    loopMacro(name, argumentCount, (build, args) => {
      const step = collect(build, args);
      return {
        initial: initial(build),
        condition: build.literal(true),
        step:
          args.filter === undefined
            ? step
            : build.call(operators.conditional, args.filter, step, build.accumulator()),
        result: build.accumulator(),
      };
    }),
  );
}
