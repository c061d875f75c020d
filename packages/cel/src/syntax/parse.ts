import { CelSource } from "./cel-source.js";
import { ProblemList } from "./compile-problem.js";
import type { Expression } from "./expression.js";
import { NodeBuilder, type Place } from "./node-builder.js";
import { Parser } from "./parser.js";
import { readTokens } from "./read-tokens.js";
import type { SyntaxOptions } from "./syntax-options.js";

/** Longest expression in code points; cel-go's default. */
export const maxExpressionLength = 100_000;

/** A parsed expression. If there are problems, `expression` is not complete. */
export interface Parsed {
  readonly expression: Expression;
  readonly problems: ProblemList;
  readonly nodes: NodeBuilder;
}

/** Parses an expression. Syntax errors are in `problems`; nothing is thrown for a wrong text. */
export function parse(text: string, options: SyntaxOptions): Parsed {
  const source = new CelSource(text);
  const problems = new ProblemList(source);
  const nodes = new NodeBuilder();
  const whole: Place = { position: 0, start: 0, end: source.length };
  if (source.length > maxExpressionLength) {
    problems.add(
      -1,
      `expression code point size exceeds limit: size: ${source.length}, limit ${maxExpressionLength}`,
    );
    return { expression: nodes.literal(whole, null), problems, nodes };
  }
  const tokens = readTokens(source, problems);
  const parser = new Parser(tokens, problems, nodes, options);
  return { expression: parser.parseAll(), problems, nodes };
}
