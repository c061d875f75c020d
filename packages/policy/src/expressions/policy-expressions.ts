import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  StructType,
  stringType,
  timestampType,
  uintType,
} from "@typekube/cel";
import {
  authorizerType,
  type CelLibrary,
  collectStructs,
  Environment,
  isSameType,
  jsonpatchLibrary,
  type Language,
  type Program,
  resourceCheckType,
} from "@typekube/cel/internal";
import { createPatchObject, patchFieldType, patchType } from "./patch-types.js";
import { namespaceType, requestType } from "./variable-types.js";

/** An expression of a policy, compiled or with the reason why it does not compile. */
export interface PolicyExpression {
  readonly source: string;
  readonly program: Program | undefined;
  /** For example "must evaluate to bool but got string"; `undefined` for a program. */
  readonly problem: string | undefined;
}

/** A named expression that others read as `variables.NAME`. */
export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

/** Names that an expression may use beside `object`, `oldObject`, `request`, `namespaceObject` and `variables`. */
export interface ExpressionOptions {
  /** Types of the result that are allowed; any by default. */
  readonly returns?: readonly CelType[];
  /** True if the expression may use `authorizer`. Default true. */
  readonly authorizer?: boolean;
  /** True in mutations: the types `Object` and `JSONPatch` exist. */
  readonly patchTypes?: boolean;
}

/** Settings of {@link PolicyExpressions}. */
export interface PolicyExpressionsOptions {
  /** The language of an expression: older for a new one than for one that is stored already. */
  readonly languageFor: (expression: string) => Language;
  /** True if the policy has a `paramKind`: `params` exists. */
  readonly params: boolean;
  /** True if the `paramKind` is Secret. Default false. */
  readonly secretParams?: boolean;
  /** False for webhooks, whose conditions have no `variables`. Default true. */
  readonly variables?: boolean;
  /** False where types are checked only: `authorizer.requestResource` is not declared. Default true. */
  readonly requestResource?: boolean;
  /** Types of `object` and `oldObject`, and of `params`; unknown by default, as in a server. */
  readonly types?: { readonly object?: CelType | undefined; readonly params?: CelType | undefined };
}

/** Compiles the expressions of one policy. (k8s.io/apiserver/pkg/admission/plugin/cel) */
export class PolicyExpressions {
  /** The variables compiled so far, by name. */
  readonly variables: ReadonlyMap<string, PolicyExpression>;
  /** True if parameters are Secrets, whether or not they name their kind. */
  readonly secretParams: boolean;
  readonly #options: PolicyExpressionsOptions;
  readonly #compiled = new Map<string, PolicyExpression>();
  readonly #variableTypes = new Map<string, CelType>();
  readonly #environments = new Map<Language, Map<string, Environment>>();

  constructor(options: PolicyExpressionsOptions) {
    this.#options = options;
    this.variables = this.#compiled;
    this.secretParams = options.secretParams ?? false;
  }

  /** Compiles a variable; expressions compiled later may use it. */
  addVariable({ name, expression }: PolicyVariable): PolicyExpression {
    const compiled = this.compile(expression);
    this.#compiled.set(name, compiled);
    this.#variableTypes.set(name, variableType(compiled.program?.type));
    return compiled;
  }

  /** Compiles an expression. Nothing is thrown for a wrong one. */
  compile(source: string, options: ExpressionOptions = {}): PolicyExpression {
    const compiled = this.#environment(source, options).compile(source);
    if (!compiled.ok) {
      return {
        source,
        program: undefined,
        problem: compiled.instantiation ?? `compilation failed: ${compiled.problems.toString()}`,
      };
    }
    const { program } = compiled;
    const problem = resultProblem(program.type, options.returns);
    return { source, program: problem === undefined ? program : undefined, problem };
  }

  #environment(source: string, { authorizer = true, patchTypes = false }: ExpressionOptions) {
    const language = this.#options.languageFor(source);
    const environments = this.#environments.get(language) ?? new Map<string, Environment>();
    this.#environments.set(language, environments);
    const key = `${authorizer} ${patchTypes}`;
    const known = environments.get(key) ?? this.#create(language, authorizer, patchTypes);
    environments.set(key, known);
    return known;
  }

  #create(language: Language, authorizer: boolean, patchTypes: boolean): Environment {
    const { params, variables = true, requestResource = true, types = {} } = this.#options;
    const declared = new Map<string, CelType>([
      ["object", types.object ?? dynType],
      ["oldObject", types.object ?? dynType],
      ["namespaceObject", namespaceType],
      ["request", requestType],
    ]);
    if (variables) {
      declared.set("variables", new StructType("kubernetes.variables", this.#variableTypes));
    }
    if (params) {
      declared.set("params", types.params ?? dynType);
    }
    if (authorizer) {
      declared.set("authorizer", authorizerType);
    }
    if (authorizer && requestResource) {
      declared.set("authorizer.requestResource", resourceCheckType);
    }
    const structs = new Map<string, StructType>();
    for (const type of declared.values()) {
      collectStructs(type, structs);
    }
    return new Environment({
      ...language,
      libraries: patchTypes ? withJsonPatch(language) : language.libraries,
      variables: declared,
      types: {
        structType: (name) => structs.get(name) ?? (patchTypes ? patchType(name) : undefined),
        field: (typeName, field) => {
          const known = structs.get(typeName)?.fields.get(field);
          return known ?? (patchTypes ? patchFieldType(typeName, field) : undefined);
        },
        create: createPatchObject,
      },
    });
  }
}

const patchLibraries = new Map<Language, readonly CelLibrary[]>();

/** Returns the libraries of mutations: one list per language, by which the names in it are kept. */
function withJsonPatch(language: Language): readonly CelLibrary[] {
  const known = patchLibraries.get(language) ?? [...language.libraries, jsonpatchLibrary];
  patchLibraries.set(language, known);
  return known;
}

function resultProblem(type: CelType, returns: readonly CelType[] | undefined): string | undefined {
  if (returns === undefined || returns.some((allowed) => isSameType(allowed, type))) {
    return undefined;
  }
  const got = typeText(type);
  const wanted = returns.map(typeText);
  return wanted.length === 1
    ? `must evaluate to ${wanted.join("")} but got ${got}`
    : `must evaluate to one of [${wanted.join(" ")}] but got ${got}`;
}

/** Returns a type as these messages show it: the type of null has another name in other ones. */
function typeText(type: CelType): string {
  return String(type).replace(/\bnull\b/g, "null_type");
}

const plainTypes: readonly CelType[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  nullType,
  stringType,
  timestampType,
  uintType,
];

/** Returns the declared type of a variable: that of its expression, as far as declarations can say it. */
function variableType(type: CelType | undefined): CelType {
  if (type === undefined) {
    return dynType;
  }
  const [first, second] = type.parameters;
  if (type.kind === "list" && first !== undefined) {
    return listType(variableType(first));
  }
  if (type.kind === "map" && first !== undefined && second !== undefined) {
    return mapType(variableType(first), variableType(second));
  }
  return plainTypes.find((plain) => plain.kind === type.kind) ?? dynType;
}
