import type { CelLibrary } from "../functions/library.js";
import type { CompileProblem } from "../syntax/compile-problem.js";
import { noSuchOverload } from "../values/cel-failure.js";
import type { CelType } from "../values/cel-type.js";
import { collectStructs, type StructType } from "../values/struct-type.js";
import { assertNoClash } from "./assert-no-clash.js";
import { CelRule } from "./cel-rule.js";
import { CelCompileError } from "./compile-error.js";
import { type Compilation, Environment } from "./environment.js";
import { type ExpressionMode, languageOf } from "./language-versions.js";

/** Options of {@link celEnv}: variables and functions that expressions may use. */
export interface CelEnvOptions {
  /** Version of Kubernetes, for example "1.36". Default: the newest known one. */
  readonly version?: string;
  /**
   * "new" compiles what a server of this version accepts in a new expression: what its predecessor knows, too. "stored"
   * (default) compiles everything that any known version accepts, as a server does with what is stored already.
   */
  readonly mode?: ExpressionMode;
  /** Types of the variables by their names. */
  readonly variables?: Readonly<Record<string, CelType>>;
  /** Own libraries, see `library`. */
  readonly libraries?: readonly CelLibrary[];
}

/** Compiles expressions for one version of Kubernetes. */
export class CelEnv {
  readonly #environment: Environment;
  readonly #variables: ReadonlyMap<string, CelType>;

  /** @internal */
  constructor({ version, mode = "stored", variables = {}, libraries = [] }: CelEnvOptions) {
    const language = languageOf(version, mode);
    for (const own of libraries) {
      assertNoClash(own, language.libraries);
    }
    this.#variables = new Map(Object.entries(variables));
    const structs = new Map<string, StructType>();
    for (const type of this.#variables.values()) {
      collectStructs(type, structs);
    }
    this.#environment = new Environment({
      ...language,
      libraries: [...language.libraries, ...libraries],
      variables: this.#variables,
      types: {
        structType: (name) => structs.get(name),
        field: (typeName, field) => structs.get(typeName)?.fields.get(field),
        create: () => noSuchOverload(),
      },
    });
  }

  /**
   * Compiles an expression.
   *
   * @typeParam T - JavaScript type of the result; the caller's promise.
   * @throws {CelCompileError} with all problems, if the expression is wrong.
   */
  compile<T = unknown>(source: string): CelRule<T> {
    const compiled = this.#environment.compile(source);
    if (!compiled.ok) {
      throw new CelCompileError(messageOf(compiled), compiled.problems.sorted());
    }
    return new CelRule(source, compiled.program, this.#variables);
  }

  /** Returns the problems of an expression; none if it compiles. */
  check(source: string): readonly CompileProblem[] {
    const compiled = this.#environment.compile(source);
    if (compiled.ok) {
      return [];
    }
    const problems = compiled.problems.sorted();
    return problems.length > 0
      ? problems
      : [{ message: messageOf(compiled), line: -1, column: 0, offset: -1 }];
  }
}

function messageOf({ instantiation, problems }: Extract<Compilation, { ok: false }>): string {
  return instantiation ?? problems.toString();
}

/**
 * Returns an environment that compiles expressions as a version of Kubernetes does.
 *
 * @throws {RangeError} for an unknown version.
 * @throws {TypeError} if a library declares what is declared already.
 */
export function celEnv(options: CelEnvOptions = {}): CelEnv {
  return new CelEnv(options);
}
