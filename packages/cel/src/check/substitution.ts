import {
  type CelType,
  dynType,
  isSameType,
  listType,
  mapType,
  opaqueType,
  typeOfType,
  typeParameter,
} from "../values/cel-type.js";

/** Types whose values may be null, although their type does not say so. */
const nullable: ReadonlySet<string> = new Set(["opaque", "struct", "duration", "timestamp"]);

/**
 * The types that the type variables of one expression stand for. `isAssignable` learns as it compares; a comparison that fails
 * leaves nothing behind. Follows the checker of cel-go.
 */
export class Substitution {
  readonly #known = new Map<string, CelType>();
  /** Entries of `#known` before each change since the start of a comparison. */
  readonly #changes: (readonly [name: string, before: CelType | undefined])[] = [];
  #lastVariable = 0;

  /** Returns true if a value of one type can be used where the other is expected, and keeps what follows from it. */
  isAssignable(from: CelType, to: CelType): boolean {
    return this.#tentatively(() => this.#assign(from, to));
  }

  /** Returns true if each type is assignable to the one at the same index. */
  areAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    return this.#tentatively(() => this.#assignAll(from, to));
  }

  /** Returns a type variable that stands for nothing yet. */
  newVariable(): CelType {
    const type = typeParameter(`_var${this.#lastVariable}`);
    this.#lastVariable += 1;
    return type;
  }

  /** Returns the types with new variables instead of the type parameters of a declaration. */
  instantiate(types: readonly CelType[]): readonly CelType[] {
    const fresh = new Map<string, CelType>();
    const replace = (type: CelType): CelType => {
      if (type.kind !== "typeParameter") {
        return withParameters(type, replace);
      }
      const known = fresh.get(type.name) ?? this.newVariable();
      fresh.set(type.name, known);
      return known;
    };
    return types.map(replace);
  }

  /** Returns the type with every known variable replaced; unknown ones become dyn if `unknownAsDyn` is true. */
  apply(type: CelType, unknownAsDyn = false): CelType {
    if (type.kind === "typeParameter") {
      const known = this.#known.get(type.name);
      if (known !== undefined) {
        return this.apply(known, unknownAsDyn);
      }
      return unknownAsDyn ? dynType : type;
    }
    return withParameters(type, (parameter) => this.apply(parameter, unknownAsDyn));
  }

  #tentatively(assign: () => boolean): boolean {
    this.#changes.length = 0;
    const assigned = assign();
    if (!assigned) {
      for (const [name, before] of this.#changes.toReversed()) {
        if (before === undefined) {
          this.#known.delete(name);
        } else {
          this.#known.set(name, before);
        }
      }
    }
    return assigned;
  }

  #learn(name: string, type: CelType): void {
    this.#changes.push([name, this.#known.get(name)]);
    this.#known.set(name, type);
  }

  #assign(from: CelType, to: CelType): boolean {
    if (to.kind === "typeParameter") {
      const outcome = this.#bind(from, to);
      if (outcome.valid) {
        return true;
      }
      if (outcome.known) {
        return false;
      }
    }
    if (from.kind === "typeParameter") {
      return this.#bind(to, from).valid;
    }
    if (isDynOrError(from) || isDynOrError(to)) {
      return true;
    }
    if (from.kind === "null") {
      return isNullable(to);
    }
    if (to.kind === "null") {
      return isNullable(from);
    }
    switch (from.kind) {
      case "type":
        return to.kind === "type";
      case "opaque":
      case "list":
      case "map":
        return (
          from.kind === to.kind &&
          from.name === to.name &&
          this.#assignAll(from.parameters, to.parameters)
        );
      default:
        return from.kind === to.kind && from.name === to.name;
    }
  }

  #assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    return (
      from.length === to.length &&
      from.every((type, index) => {
        const other = to[index];
        return other !== undefined && this.#assign(type, other);
      })
    );
  }

  /** Lets a variable stand for a type if nothing speaks against it. */
  #bind(type: CelType, target: CelType): { readonly valid: boolean; readonly known: boolean } {
    if (isSameType(type, target)) {
      return { valid: true, known: true };
    }
    const known = this.#known.get(target.name);
    if (known === undefined) {
      const valid = !this.#occursIn(target, type);
      if (valid) {
        this.#learn(target.name, type);
      }
      return { valid, known: false };
    }
    if (isSameType(type, known)) {
      return { valid: true, known: true };
    }
    if (!this.#assign(type, known)) {
      return { valid: false, known: true };
    }
    const general = mostGeneral(type, known);
    if (!this.#occursIn(target, general)) {
      this.#learn(target.name, general);
    }
    return { valid: true, known: true };
  }

  #occursIn(target: CelType, type: CelType): boolean {
    if (isSameType(target, type)) {
      return true;
    }
    if (type.kind === "typeParameter") {
      const known = this.#known.get(type.name);
      return known !== undefined && this.#occursIn(target, known);
    }
    return type.parameters.some((parameter) => this.#occursIn(target, parameter));
  }
}

/** Returns true for a type about which nothing is known before evaluation. */
export function isDynOrError({ kind }: CelType): boolean {
  return kind === "dyn" || kind === "error";
}

/** Returns the more general of two types that fit together. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || a.kind === "typeParameter") {
    return true;
  }
  if (b.kind === "dyn" || b.kind === "typeParameter" || a.kind !== b.kind) {
    return false;
  }
  switch (a.kind) {
    case "opaque":
    case "list":
    case "map":
      return (
        a.name === b.name &&
        a.parameters.length === b.parameters.length &&
        a.parameters.every((parameter, index) => {
          const other = b.parameters[index];
          return other !== undefined && isEqualOrLessSpecific(parameter, other);
        })
      );
    case "type":
      return true;
    default:
      return isSameType(a, b);
  }
}

function isNullable(type: CelType): boolean {
  return type.kind === "null" || type.kind === "dyn" || nullable.has(type.kind);
}

/** Returns the type with changed parameters, or the same type if they stay. */
function withParameters(type: CelType, change: (parameter: CelType) => CelType): CelType {
  const { parameters } = type;
  if (parameters.length === 0) {
    return type;
  }
  const changed = parameters.map(change);
  if (changed.every((parameter, index) => parameter === parameters[index])) {
    return type;
  }
  const [first = dynType, second = dynType] = changed;
  switch (type.kind) {
    case "list":
      return listType(first);
    case "map":
      return mapType(first, second);
    case "type":
      return typeOfType(first);
    default:
      return opaqueType(type.name, ...changed);
  }
}
