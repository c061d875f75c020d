import { CallBuilder } from "./call-builder.js";
import type { ProblemList } from "./compile-problem.js";
import { DepthCounter, TooDeep } from "./depth-limits.js";
import type { Expression, MapEntry, StructField } from "./expression.js";
import type { NodeBuilder, Term } from "./node-builder.js";
import { operators } from "./operators.js";
import { parseLiteral } from "./parse-literal.js";
import type { Token } from "./read-tokens.js";
import { isReserved } from "./reserved-words.js";
import type { SyntaxOptions } from "./syntax-options.js";
import { SyntaxProblem, TokenReader } from "./token-reader.js";

/** A parser by recursive descent over the tokens of one expression. */
export class Parser {
  readonly #tokens: TokenReader;
  readonly #problems: ProblemList;
  readonly #nodes: NodeBuilder;
  readonly #calls: CallBuilder;
  readonly #options: SyntaxOptions;
  readonly #expressions = new DepthCounter();
  readonly #relations = new DepthCounter();
  readonly #sums = new DepthCounter();
  readonly #members = new DepthCounter();

  constructor(
    tokens: readonly Token[],
    problems: ProblemList,
    nodes: NodeBuilder,
    options: SyntaxOptions,
  ) {
    this.#tokens = new TokenReader(tokens);
    this.#problems = problems;
    this.#nodes = nodes;
    this.#calls = new CallBuilder(nodes, problems, options.macros);
    this.#options = options;
  }

  parseAll(): Expression {
    try {
      const expression = this.#expression();
      if (!this.#tokens.isKind("end")) {
        this.#tokens.fail("<EOF>");
      }
      return expression;
    } catch (error) {
      if (error instanceof SyntaxProblem) {
        this.#problems.addSyntaxError(error.offset, error.message);
      } else if (error instanceof TooDeep) {
        this.#problems.add(-1, error.message);
      } else {
        throw error;
      }
      return this.#nodes.literal({ position: 0, start: 0, end: 0 }, null);
    }
  }

  /** `condition ? a : b` */
  #expression(): Expression {
    this.#expressions.enter();
    const { start } = this.#tokens.peek();
    const condition = this.#logical("||");
    const sign = this.#tokens.peek();
    let result = condition;
    if (this.#tokens.take("?")) {
      const whenTrue = this.#logical("||");
      this.#tokens.expect(":");
      const whenFalse = this.#expression();
      const place = { position: sign.start, start, end: this.#tokens.end() };
      result = this.#calls.create(place, operators.conditional, [condition, whenTrue, whenFalse]);
    }
    this.#expressions.leave();
    return result;
  }

  /** `a || b || c` of terms `a && b && c` of relations */
  #logical(sign: "||" | "&&"): Expression {
    const term = (): Term => {
      const { start } = this.#tokens.peek();
      const expression = sign === "||" ? this.#logical("&&") : this.#relation();
      return { expression, start, end: this.#tokens.end() };
    };
    const terms = [term()];
    const positions: number[] = [];
    let token = this.#tokens.peek();
    while (this.#tokens.take(sign)) {
      positions.push(token.start);
      terms.push(term());
      token = this.#tokens.peek();
    }
    return this.#nodes.balanced(sign === "||" ? operators.or : operators.and, terms, positions);
  }

  /** `a < b`, `a in b`: relations of sums */
  #relation(): Expression {
    return this.#binary(1, 1, this.#relations, () => this.#sum());
  }

  /** `a + b * c`: sums of products */
  #sum(): Expression {
    return this.#binary(2, 3, this.#sums, () => this.#unary());
  }

  /** A chain of operators of some levels. Its depth counts, and each of its operators. */
  #binary(
    lowest: number,
    highest: number,
    depth: DepthCounter,
    operand: () => Expression,
  ): Expression {
    depth.enter();
    const chain = this.#chain(lowest, highest, depth, operand);
    depth.leave();
    return chain;
  }

  /** Operators of some levels, from left to right; those of higher levels bind their right operands. */
  #chain(
    lowest: number,
    highest: number,
    depth: DepthCounter,
    operand: () => Expression,
  ): Expression {
    let entered = 0;
    const { start } = this.#tokens.peek();
    let left = operand();
    for (
      let level = this.#operatorLevel(lowest, highest);
      level !== undefined;
      level = this.#operatorLevel(lowest, highest)
    ) {
      const name = this.#tokens.binaryOperator(level) ?? "";
      const { start: position } = this.#tokens.read();
      depth.enter();
      entered += 1;
      const right = this.#chain(level + 1, highest, depth, operand);
      const place = { position, start, end: this.#tokens.end() };
      left = this.#calls.create(place, name, [left, right]);
    }
    depth.leave(entered);
    return left;
  }

  /** Returns the level of the next token if it is an operator of one of the levels. */
  #operatorLevel(lowest: number, highest: number): number | undefined {
    for (let level = lowest; level <= highest; level++) {
      if (this.#tokens.binaryOperator(level) !== undefined) {
        return level;
      }
    }
    return undefined;
  }

  /** `!a`, `!!a`, `-a`; a minus directly before a number belongs to the number */
  #unary(): Expression {
    const first = this.#tokens.peek();
    const sign = first.text;
    if (first.kind !== "operator" || (sign !== "!" && sign !== "-")) {
      return this.#member();
    }
    if (sign === "-" && this.#tokens.isNegativeNumber()) {
      return this.#member();
    }
    let count = 0;
    while (this.#tokens.take(sign)) {
      count += 1;
    }
    const operand = this.#member();
    if (count % 2 === 0) {
      return operand;
    }
    const place = { position: first.start, start: first.start, end: this.#tokens.end() };
    const name = sign === "!" ? operators.not : operators.negate;
    return this.#calls.create(place, name, [operand]);
  }

  /** `a.b`, `a.b(c)`, `a[b]` behind a primary expression */
  #member(): Expression {
    this.#members.enter();
    let entered = 1;
    const { start } = this.#tokens.peek();
    let operand = this.#primary();
    for (;;) {
      const token = this.#tokens.peek();
      if (token.kind !== "operator" || (token.text !== "." && token.text !== "[")) {
        this.#members.leave(entered);
        return operand;
      }
      this.#tokens.read();
      this.#members.enter();
      entered += 1;
      operand =
        token.text === "."
          ? this.#selection(operand, token, start)
          : this.#index(operand, token, start);
    }
  }

  #selection(operand: Expression, dot: Token, start: number): Expression {
    const optional = this.#takeOptional(dot, ".?");
    const name = this.#tokens.peek();
    const field = this.#tokens.readFieldName();
    const open = this.#tokens.peek();
    if (name.kind === "name" && !optional && this.#tokens.take("(")) {
      const args = this.#arguments();
      const place = { position: open.start, start, end: this.#tokens.end() };
      return this.#calls.create(place, field, args, operand);
    }
    const place = { position: dot.start, start, end: name.end };
    if (optional) {
      const literal = this.#nodes.literal({ ...name, position: name.start }, field);
      return this.#nodes.call(place, operators.optionalSelect, [operand, literal]);
    }
    return this.#nodes.select(place, operand, field);
  }

  #index(operand: Expression, bracket: Token, start: number): Expression {
    const optional = this.#takeOptional(bracket, "[?");
    const index = this.#expression();
    this.#tokens.expect("]");
    const place = { position: bracket.start, start, end: this.#tokens.end() };
    const name = optional ? operators.optionalIndex : operators.index;
    return this.#calls.create(place, name, [operand, index]);
  }

  #primary(): Expression {
    const token = this.#tokens.peek();
    switch (token.kind) {
      case "name":
        return this.#named(token, "");
      case "operator":
        return this.#bracketed(token);
      case "end":
      case "escapedName":
        return this.#tokens.fail();
      default:
        return this.#literal(token, token);
    }
  }

  #bracketed(token: Token): Expression {
    if (token.text === "-") {
      return this.#literal(token, this.#tokens.peek(1));
    }
    if (!["(", "[", "{", "."].includes(token.text)) {
      return this.#tokens.fail();
    }
    this.#tokens.read();
    switch (token.text) {
      case "(": {
        const expression = this.#expression();
        this.#tokens.expect(")");
        return expression;
      }
      case "[":
        return this.#list(token);
      case "{":
        return this.#map(token);
      default:
        return this.#tokens.isKind("name") ? this.#named(token, ".") : this.#tokens.fail();
    }
  }

  /** A literal; `first` is its minus or itself */
  #literal(first: Token, number: Token): Expression {
    if (first !== number) {
      if (!this.#tokens.isNegativeNumber()) {
        return this.#tokens.fail();
      }
      this.#tokens.read();
    }
    this.#tokens.read();
    const place = { position: first.start, start: first.start, end: number.end };
    const parsed = parseLiteral(number, first !== number);
    if ("problem" in parsed) {
      this.#problems.add(first.start, parsed.problem);
      return this.#nodes.literal(place, null);
    }
    return this.#nodes.literal(place, parsed.value);
  }

  /** A name, a call `name(...)` or an object `a.b.Name{...}`; `dot` is the leading dot */
  #named(first: Token, dot: "" | "."): Expression {
    const typeLength = this.#tokens.typeNameLength();
    if (typeLength > 0) {
      return this.#struct(first, dot, typeLength);
    }
    const token = this.#tokens.read();
    let isProblem = false;
    if (isReserved(token.text)) {
      this.#problems.add(first.start, `reserved identifier: ${token.text}`);
      isProblem = true;
    }
    const name = dot + token.text;
    const open = this.#tokens.peek();
    if (this.#tokens.take("(")) {
      const args = this.#arguments();
      const place = { position: open.start, start: first.start, end: this.#tokens.end() };
      return this.#calls.create(place, name, args);
    }
    const place = { position: token.start, start: first.start, end: token.end };
    return isProblem ? this.#nodes.literal(place, null) : this.#nodes.identifier(place, name);
  }

  #struct(first: Token, dot: string, length: number): Expression {
    const words = Array.from({ length }, () => this.#tokens.read().text);
    const brace = this.#tokens.peek();
    this.#tokens.expect("{");
    const fields: StructField[] = [];
    this.#tokens.readItems("}", () => {
      const optional = this.#takeOptional(this.#tokens.peek(), "?");
      const field = this.#tokens.readFieldName();
      const { start: position } = this.#tokens.peek();
      this.#tokens.expect(":");
      const id = this.#nodes.nextId();
      fields.push({ id, position, name: field, value: this.#expression(), optional });
    });
    const place = { position: brace.start, start: first.start, end: this.#tokens.end() };
    return this.#nodes.struct(place, dot + words.join(""), fields);
  }

  #list(bracket: Token): Expression {
    const elements: Expression[] = [];
    const optionals: number[] = [];
    this.#tokens.readItems("]", () => {
      if (this.#takeOptional(this.#tokens.peek(), "?")) {
        optionals.push(elements.length);
      }
      elements.push(this.#expression());
    });
    const place = { position: bracket.start, start: bracket.start, end: this.#tokens.end() };
    return this.#nodes.list(place, elements, optionals);
  }

  #map(brace: Token): Expression {
    const entries: MapEntry[] = [];
    this.#tokens.readItems("}", () => {
      const optional = this.#takeOptional(this.#tokens.peek(), "?");
      const key = this.#expression();
      const { start: position } = this.#tokens.peek();
      this.#tokens.expect(":");
      const id = this.#nodes.nextId();
      entries.push({ id, position, key, value: this.#expression(), optional });
    });
    const { start } = brace;
    return this.#nodes.map({ position: start, start, end: this.#tokens.end() }, entries);
  }

  #arguments(): Expression[] {
    const args: Expression[] = [];
    if (!this.#tokens.isSign(")")) {
      args.push(this.#expression());
      while (this.#tokens.take(",")) {
        args.push(this.#expression());
      }
    }
    this.#tokens.expect(")");
    return args;
  }

  #takeOptional(at: Token, syntax: string): boolean {
    if (!this.#tokens.take("?")) {
      return false;
    }
    if (!this.#options.optionals) {
      this.#problems.add(at.start, `unsupported syntax '${syntax}'`);
    }
    return true;
  }
}
