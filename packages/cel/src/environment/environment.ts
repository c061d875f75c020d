import { check } from "../check/check.js";
import type { CheckEnvironment } from "../check/check-environment.js";
import { validateLiterals } from "../check/validate-literals.js";
import { InstantiationFailed } from "../evaluate/planner.js";
import type { CelLibrary } from "../functions/library.js";
import type { FunctionDeclaration } from "../functions/overload.js";
import type { ProblemList } from "../syntax/compile-problem.js";
import type { Macro } from "../syntax/macro.js";
import { parse } from "../syntax/parse.js";
import { macroKey } from "../syntax/syntax-options.js";
import { noSuchOverload } from "../values/cel-failure.js";
import type { CelType } from "../values/cel-type.js";
import { Program } from "./program.js";
import type { TypeProvider } from "./type-provider.js";

/** Names, types and syntax that expressions may use, by the version of Kubernetes. */
export interface EnvironmentParts {
  readonly libraries: readonly CelLibrary[];
  /** Variables by their names. */
  readonly variables: ReadonlyMap<string, CelType>;
  readonly types?: TypeProvider | undefined;
  /** Prefix that names may leave out; empty in Kubernetes. */
  readonly container?: string;
  /** False if lists and maps may mix types; never in Kubernetes. */
  readonly homogeneousLiterals?: boolean;
  /** True if types are checked during the evaluation only; never in Kubernetes. */
  readonly lenient?: boolean;
  /** True from Kubernetes 1.28 on: `1 < 1.5` compiles. */
  readonly crossTypeComparisons: boolean;
  /** True from Kubernetes 1.28 on: `a.?b` parses. */
  readonly optionals: boolean;
  /** True from Kubernetes 1.29 on: constants of durations, times and patterns are checked. */
  readonly literalChecks: boolean;
}

/** A compiled expression, or what is wrong with it. */
export type Compilation =
  | {
      readonly ok: true;
      readonly program: Program;
    }
  | { readonly ok: false; readonly problems: ProblemList; readonly instantiation?: string };

/** Functions, macros, types and variables under which expressions are compiled. */
export class Environment {
  readonly #parts: EnvironmentParts;
  readonly #names: LibraryNames;

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
    this.#names = namesOf(parts.libraries);
  }

  /** Compiles an expression. Nothing is thrown for a wrong text. */
  compile(text: string): Compilation {
    const { optionals, literalChecks, types } = this.#parts;
    const { expression, problems } = parse(text, { macros: this.#names.macros, optionals });
    if (problems.count > 0) {
      return { ok: false, problems };
    }
    const checked = check(expression, this.#checkEnvironment(), problems);
    if (problems.count === 0) {
      validateLiterals(checked, problems, {
        values: literalChecks,
        types: this.#parts.homogeneousLiterals !== false,
      });
    }
    if (problems.count > 0) {
      return { ok: false, problems };
    }
    try {
      const createStruct = types?.create ?? (() => noSuchOverload());
      return { ok: true, program: new Program(text, checked, createStruct) };
    } catch (error) {
      if (error instanceof InstantiationFailed) {
        return { ok: false, problems, instantiation: error.message };
      }
      throw error;
    }
  }

  #checkEnvironment(): CheckEnvironment {
    const { container = "", variables, types, crossTypeComparisons } = this.#parts;
    const { lenient = false } = this.#parts;
    return {
      container,
      lenient,
      variable: (name) => variables.get(name),
      namedType: (name) => this.#names.types.get(name) ?? types?.structType(name),
      field: (typeName, field) => types?.field(typeName, field),
      function: (name) => this.#names.functions.get(name),
      crossTypeComparisons,
    };
  }
}

/** Declarations of libraries, by names. */
interface LibraryNames {
  readonly macros: ReadonlyMap<string, Macro>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly types: ReadonlyMap<string, CelType>;
}

const knownNames = new WeakMap<readonly CelLibrary[], LibraryNames>();

/** Returns what libraries declare; once for each list of libraries, since each place with rules has an environment. */
function namesOf(libraries: readonly CelLibrary[]): LibraryNames {
  const known = knownNames.get(libraries) ?? collectNames(libraries);
  knownNames.set(libraries, known);
  return known;
}

function collectNames(libraries: readonly CelLibrary[]): LibraryNames {
  const allMacros = new Map<string, Macro>();
  const allFunctions = new Map<string, FunctionDeclaration>();
  const allTypes = new Map<string, CelType>();
  for (const { functions, macros = [], types = [] } of libraries) {
    for (const macro of macros) {
      allMacros.set(macroKey(macro.name, macro.argumentCount, macro.member), macro);
    }
    for (const declaration of functions) {
      allFunctions.set(declaration.name, joined(allFunctions.get(declaration.name), declaration));
    }
    for (const type of types) {
      allTypes.set(type.name, type);
    }
  }
  return { macros: allMacros, functions: allFunctions, types: allTypes };
}

/** Joins the signatures that two libraries declare for one name; the first one is tried first. */
function joined(
  known: FunctionDeclaration | undefined,
  added: FunctionDeclaration,
): FunctionDeclaration {
  return known === undefined
    ? added
    : { name: added.name, overloads: [...known.overloads, ...added.overloads] };
}
