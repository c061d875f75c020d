import type { NormalWorld } from "../world/normal-world.js";

/** Most lines of a difference that are shown. */
const maxLines = 40;
/** Most characters of a value that are shown. */
const maxValue = 120;

/** A difference of two worlds. */
export interface WorldDifference {
  /** Keys of objects that only the world without faults has. */
  readonly missing: readonly string[];
  /** Keys of objects that only the world with faults has. */
  readonly extra: readonly string[];
  /** Keys of objects that differ. */
  readonly changed: readonly string[];
  /** All of it in lines: `-` is only without faults, `+` only with them. */
  readonly lines: readonly string[];
  /** The objects and the fields that differ, without values, numbers of items, and counts of equal names. */
  readonly marks: readonly string[];
}

/** A field that differs. */
interface FieldDifference {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Compares the world of a run with the one of the run without faults. */
export function worldDifference(expected: NormalWorld, actual: NormalWorld): WorldDifference {
  const missing: string[] = [];
  const extra: string[] = [];
  const changed: string[] = [];
  const lines: string[] = [];
  const marks = new Set<string>();
  const keys = [...new Set([...expected.objects.keys(), ...actual.objects.keys()])].sort();
  for (const key of keys) {
    if (!actual.objects.has(key)) {
      missing.push(key);
      marks.add(`- ${withoutCount(key)}`);
      lines.push(`- ${key}`);
    } else if (!expected.objects.has(key)) {
      extra.push(key);
      marks.add(`+ ${withoutCount(key)}`);
      lines.push(`+ ${key}`);
    } else {
      const changes = valueDifference("", expected.objects.get(key), actual.objects.get(key));
      if (changes.length > 0) {
        changed.push(key);
        lines.push(`  ${key}`, ...changes.flatMap((one) => one.lines.map((line) => `  ${line}`)));
        for (const { path } of changes) {
          marks.add(`${withoutCount(key)} ${path.replace(/\[\d+\]/g, "[]")}`);
        }
      }
    }
  }
  const left = lines.length - maxLines;
  return {
    missing,
    extra,
    changed,
    lines: left > 0 ? [...lines.slice(0, maxLines), `  … and ${left} more lines`] : lines,
    marks: [...marks],
  };
}

/** Returns the key of an object without its number among objects of equal names. */
function withoutCount(key: string): string {
  return key.replace(/ \(\d+\)$/, "");
}

function valueDifference(path: string, expected: unknown, actual: unknown): FieldDifference[] {
  if (
    isContainer(expected) &&
    isContainer(actual) &&
    Array.isArray(expected) === Array.isArray(actual)
  ) {
    const before = expected as Readonly<Record<string, unknown>>;
    const after = actual as Readonly<Record<string, unknown>>;
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      valueDifference(
        Array.isArray(expected) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
        before[key],
        after[key],
      ),
    );
  }
  const [was, is] = [JSON.stringify(expected), JSON.stringify(actual)];
  if (was === is) {
    return [];
  }
  const lines = [
    ...(was === undefined ? [] : [`- ${path}: ${shortened(was)}`]),
    ...(is === undefined ? [] : [`+ ${path}: ${shortened(is)}`]),
  ];
  return [{ path, lines }];
}

function shortened(text: string): string {
  return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
