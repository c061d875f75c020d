import { getPath, isJsonObject, type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import { versionsOf, withDefinitionDefaults } from "@typekube/schema";
import { type Change, compareSchemas } from "./compare-schemas.js";

/** Result of a comparison of two definitions. */
export interface Comparison {
  /** `none` when nothing differs, `breaking` when one of the changes is. */
  readonly result: "breaking" | "compatible" | "none";
  /** The differences, from the installed definition to the other one. */
  readonly changes: readonly Change[];
}

const identity = ["group", "scope"] as const;
const fixedNames = ["kind", "plural"] as const;
const otherNames = ["singular", "listKind", "shortNames", "categories"] as const;

/** Compares an installed definition with another one of the same name. */
export function compareDefinitions(live: JsonObject, next: JsonObject): Comparison {
  const changes: Change[] = [];
  const [from, to] = [specOf(live), specOf(next)];
  for (const key of identity) {
    compareValue(`spec.${key}`, from[key], to[key], true, changes);
  }
  for (const key of [...fixedNames, ...otherNames]) {
    const isFixed = (fixedNames as readonly string[]).includes(key);
    const [before, after] = [getPath(from, "names", key), getPath(to, "names", key)];
    compareValue(`spec.names.${key}`, before, after, isFixed, changes);
  }
  compareValue("spec.conversion", plainConversion(from), plainConversion(to), false, changes);
  compareVersions(live, next, changes);
  const isBreaking = changes.some(({ breaking }) => breaking);
  return {
    result: isBreaking ? "breaking" : changes.length > 0 ? "compatible" : "none",
    changes,
  };
}

function specOf(definition: JsonObject): JsonObject {
  const { spec } = withDefinitionDefaults(definition) as JsonObject;
  return isJsonObject(spec) ? spec : {};
}

/** Returns the conversion without the certificate that tools such as cert-manager add. */
function plainConversion({ conversion }: JsonObject): unknown {
  const clientConfig = getPath(conversion, "webhook", "clientConfig");
  if (!isJsonObject(conversion) || !isJsonObject(clientConfig)) {
    return conversion;
  }
  const { caBundle: _bundle, ...config } = clientConfig;
  return { ...conversion, webhook: { ...(conversion["webhook"] as object), clientConfig: config } };
}

function compareValue(
  path: string,
  from: unknown,
  to: unknown,
  breaking: boolean,
  changes: Change[],
): void {
  if (!jsonEqual(from, to)) {
    changes.push({ path, change: "changed", breaking });
  }
}

function compareVersions(live: JsonObject, next: JsonObject, changes: Change[]): void {
  const versions = versionsOf(next);
  for (const before of versionsOf(live)) {
    const name = String(before["name"]);
    const after = versions.find((version) => version["name"] === name);
    if (after === undefined) {
      changes.push({ path: name, change: "version removed", breaking: true });
    } else {
      compareVersion(name, before, after, changes);
    }
  }
  const known = versionsOf(live).map(({ name }) => name);
  for (const { name } of versions) {
    if (!known.includes(name)) {
      changes.push({ path: String(name), change: "version added", breaking: false });
    }
  }
}

const versionFields = [
  "storage",
  "deprecated",
  "deprecationWarning",
  "additionalPrinterColumns",
  "selectableFields",
];

function compareVersion(
  name: string,
  before: JsonObject,
  after: JsonObject,
  changes: Change[],
): void {
  if (before["served"] !== after["served"]) {
    const isServed = after["served"] === true;
    changes.push({
      path: name,
      change: isServed ? "version is served" : "version is no longer served",
      breaking: !isServed,
    });
  }
  for (const key of versionFields) {
    const selects = key === "selectableFields" && before[key] !== undefined;
    compareValue(`${name}: ${key}`, before[key], after[key], selects, changes);
  }
  for (const key of ["status", "scale"]) {
    const [from, to] = [before, after].map((version) => getPath(version, "subresources", key));
    compareValue(`${name}: subresource ${key}`, from, to, from !== undefined, changes);
  }
  const [from, to] = [before, after].map((version) =>
    getPath(version, "schema", "openAPIV3Schema"),
  );
  if (isJsonObject(from) && isJsonObject(to)) {
    compareSchemas(from, to, `${name}: `, changes);
  }
}
