import type { ProblemList } from "./compile-problem.js";
import type { Expression } from "./expression.js";
import type { NodeBuilder, Place } from "./node-builder.js";
import { macroKey, type SyntaxOptions } from "./syntax-options.js";

/** Creates calls; those of macros become what the macro expands to. */
export class CallBuilder {
  readonly #nodes: NodeBuilder;
  readonly #problems: ProblemList;
  readonly #macros: SyntaxOptions["macros"];

  constructor(nodes: NodeBuilder, problems: ProblemList, macros: SyntaxOptions["macros"]) {
    this.#nodes = nodes;
    this.#problems = problems;
    this.#macros = macros;
  }

  create(place: Place, name: string, args: readonly Expression[], target?: Expression): Expression {
    const macro = this.#macros.get(macroKey(name, args.length, target !== undefined));
    if (macro === undefined) {
      return this.#nodes.call(place, name, args, target);
    }
    const builder = this.#nodes.forMacro(place);
    const expanded = macro.expand(builder, target ?? args[0] ?? builder.literal(null), args);
    if ("problem" in expanded) {
      this.#problems.add(expanded.at.position, expanded.problem);
      return this.#nodes.literal(place, null);
    }
    return expanded;
  }
}
