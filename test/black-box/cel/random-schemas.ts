import type { Random } from "../go-regexp/random-patterns.js";

/** A JSON object, for schemas and values. */
export type Json = { [key: string]: unknown };

/** A random schema with rules, an object that fits it, and perhaps an old one. */
export interface RuleCase {
  readonly schema: Json;
  readonly object: unknown;
  readonly oldObject?: unknown;
}

const names = ["a", "b", "c-d", "namespace", "e.f", "int", "x__y"];

/** Returns a random case. */
export function randomRuleCase(random: Random): RuleCase {
  const generator = new SchemaGenerator(random);
  const schema = generator.root();
  const object = generator.value(schema);
  return random() < 0.5
    ? { schema, object }
    : { schema, object, oldObject: random() < 0.2 ? object : generator.value(schema) };
}

class SchemaGenerator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  root(): Json {
    const properties = { spec: this.#object(3), status: this.#object(1) };
    return this.#withRules({ type: "object", properties }, "self.spec");
  }

  /** Returns a value that fits a schema. */
  value(schema: Json): unknown {
    if (schema["nullable"] === true && this.#chance(0.3)) {
      return null;
    }
    if (schema["x-kubernetes-int-or-string"] === true) {
      return this.#chance(0.5) ? this.#number(10) : `${this.#number(99)}%`;
    }
    switch (schema["type"]) {
      case "integer":
        return this.#number(12) - 2;
      case "number":
        return this.#pick([0, 1, 2.5, -3, 1e10]);
      case "boolean":
        return this.#chance(0.5);
      case "string":
        return this.#text(schema);
      case "array":
        return this.#list(schema);
      default:
        return this.#record(schema);
    }
  }

  #list(schema: Json): unknown {
    const items = schema["items"] as Json;
    const values = Array.from({ length: this.#number(4) }, () => this.value(items));
    const seen = new Set<string>();
    return values.filter((value) => {
      const listType = schema["x-kubernetes-list-type"];
      const key =
        listType === "map" ? (value as Json)["name"] : listType === "set" ? value : undefined;
      const isNew = key === undefined || !seen.has(JSON.stringify(key));
      seen.add(JSON.stringify(key));
      return isNew;
    });
  }

  #record(schema: Json): unknown {
    const { properties, additionalProperties } = schema;
    if (additionalProperties !== undefined) {
      const keys = ["k1", "k2", "a b", "x-y"].filter(() => this.#chance(0.5));
      return Object.fromEntries(keys.map((key) => [key, this.value(additionalProperties as Json)]));
    }
    const required = (schema["required"] ?? []) as readonly string[];
    return Object.fromEntries(
      Object.entries((properties ?? {}) as Json)
        .filter(([name]) => required.includes(name) || this.#chance(0.8))
        .map(([name, property]) => [name, this.value(property as Json)]),
    );
  }

  #text({ enum: values, format }: Json): unknown {
    if (Array.isArray(values)) {
      return this.#pick(values);
    }
    switch (format) {
      case "date-time":
        return this.#pick(["2024-01-02T03:04:05Z", "2023-12-31T23:59:59.5+01:00"]);
      case "date":
        return this.#pick(["2024-02-29", "1999-01-01"]);
      case "duration":
        return this.#pick(["1h", "90s", "2 days", "0"]);
      case "byte":
        return this.#pick(["", "AQID"]);
      default:
        return this.#pick(["", "a", "abc", "héllo", "a-1", "zz top"]);
    }
  }

  #schema(depth: number): Json {
    const kinds = depth <= 0 ? 6 : 10;
    switch (Math.floor(this.#random() * kinds)) {
      case 0:
        return this.#withRules({ type: "integer" }, "self");
      case 1:
        return this.#withRules(this.#string(), "self");
      case 2:
        return this.#withRules({ type: "boolean" }, "self");
      case 3:
        return this.#withRules({ type: "number" }, "self");
      case 4:
        return this.#withRules({ "x-kubernetes-int-or-string": true }, "self");
      case 5:
        return { type: "string", ...this.#maybe({ nullable: true }) };
      case 6:
      case 7:
        return this.#array(depth);
      case 8:
        return this.#withRules(
          {
            type: "object",
            additionalProperties: this.#schema(depth - 1),
            ...this.#maybe({ maxProperties: this.#number(20) }),
          },
          "self",
        );
      default:
        return this.#object(depth);
    }
  }

  #string(): Json {
    return {
      type: "string",
      ...this.#pick<Json>([
        {},
        {},
        { maxLength: this.#number(30) },
        { enum: ["a", "abc", "é"] },
        { format: "date-time" },
        { format: "date" },
        { format: "duration" },
        { format: "byte", maxLength: 12 },
      ]),
    };
  }

  #array(depth: number): Json {
    const bounds = this.#maybe({ maxItems: this.#number(40) });
    switch (this.#number(3)) {
      case 0:
        return this.#withRules(
          {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            items: this.#withRules(
              {
                type: "object",
                required: ["name"],
                properties: {
                  name: { type: "string", maxLength: 9 },
                  value: this.#schema(depth - 2),
                },
              },
              "self.name",
            ),
            ...bounds,
          },
          "self",
        );
      case 1:
        return this.#withRules(
          {
            type: "array",
            "x-kubernetes-list-type": "set",
            items: { type: "string", ...this.#maybe({ maxLength: 5 }) },
            ...bounds,
          },
          "self",
        );
      default:
        return this.#withRules(
          { type: "array", items: this.#schema(depth - 1), ...bounds },
          "self",
        );
    }
  }

  #object(depth: number): Json {
    const chosen = names.filter(() => this.#chance(0.45));
    const properties = Object.fromEntries(chosen.map((name) => [name, this.#schema(depth - 1)]));
    const required = chosen.filter(() => this.#chance(0.3));
    return this.#withRules(
      { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
      "self",
    );
  }

  #withRules(schema: Json, subject: string): Json {
    const rules = Array.from({ length: this.#chance(0.5) ? this.#number(3) : 0 }, () =>
      this.#rule(schema, subject),
    );
    return rules.length === 0 ? schema : { ...schema, "x-kubernetes-validations": rules };
  }

  #rule(schema: Json, subject: string): Json {
    const rule = this.#chance(0.15)
      ? this.#transition(subject)
      : this.#chance(0.03)
        ? this.#pick(["self.unknown", "self ==", "self + 1", "1", "self.size() > 'a'"])
        : this.#condition(schema, subject);
    return {
      rule,
      ...this.#maybe({ message: this.#pick(["wrong", " no "]) }, 0.3),
      ...this.#maybe(
        {
          messageExpression: this.#pick([
            "'is ' + string(1 + 1)",
            "''",
            "'a\\nb'",
            "string(self)",
            "self.x",
            "'x' + 1",
          ]),
        },
        0.2,
      ),
      ...this.#maybe(
        {
          reason: this.#pick(["FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"]),
        },
        0.2,
      ),
      ...(rule.includes("oldSelf") ? this.#maybe({ optionalOldSelf: true }, 0.3) : {}),
    };
  }

  #transition(subject: string): string {
    const old = subject.replace("self", "oldSelf");
    return this.#pick([`${subject} == ${old}`, `${old} != ${subject}`, `has(oldSelf.a)`]);
  }

  /** Returns a condition on a value of a schema. */
  #condition(schema: Json, subject: string, depth = 2): string {
    if (schema["x-kubernetes-int-or-string"] === true) {
      return this.#pick([
        `type(${subject}) == int ? ${subject} < 5 : ${subject}.endsWith('%')`,
        `${subject} == '50%'`,
        `${subject} > 3`,
      ]);
    }
    switch (schema["type"]) {
      case "integer":
        return this.#pick([
          `${subject} < 5`,
          `${subject} % 2 == 0`,
          `10 / ${subject} > 1`,
          `${subject} in [1, 2, 3]`,
        ]);
      case "number":
        return this.#pick([
          `${subject} < 2.0`,
          `${subject} >= 1`,
          `double(int(${subject})) == ${subject}`,
        ]);
      case "boolean":
        return this.#pick([subject, `!${subject}`]);
      case "string":
        return this.#stringCondition(schema, subject);
      case "array":
        return this.#listCondition(schema["items"] as Json, subject, depth);
      default:
        return this.#objectCondition(schema, subject, depth);
    }
  }

  #stringCondition({ format }: Json, subject: string): string {
    switch (format) {
      case "date-time":
      case "date":
        return this.#pick([
          `${subject}.getFullYear() > 2000`,
          `${subject} < timestamp('2024-01-01T00:00:00Z')`,
        ]);
      case "duration":
        return this.#pick([`${subject} < duration('1h30m')`, `${subject}.getSeconds() > 5`]);
      case "byte":
        return `size(${subject}) == 3`;
      default:
        return this.#pick([
          `${subject}.startsWith('a')`,
          `${subject}.matches('^[a-z]+$')`,
          `size(${subject}) < 4`,
          `${subject} == ${subject}.lowerAscii()`,
          `${subject}.contains(${subject})`,
          `${subject} + 'x' != 'ax'`,
          `${subject}.split('-').size() == 1`,
        ]);
    }
  }

  #listCondition(items: Json, subject: string, depth: number): string {
    const variable = `v${depth}`;
    const inner = depth <= 0 ? "true" : this.#condition(items, variable, depth - 1);
    return this.#pick([
      `${subject}.all(${variable}, ${inner})`,
      `${subject}.exists(${variable}, ${inner})`,
      `${subject}.exists_one(${variable}, ${inner})`,
      `${subject}.filter(${variable}, ${inner}).size() < 2`,
      `${subject}.map(${variable}, ${variable}) == ${subject}`,
      `${subject}.size() <= 2`,
      `${subject} + ${subject} == ${subject}`,
      `${subject}.all(i, ${variable}, i < 9 && (${inner}))`,
    ]);
  }

  #objectCondition(schema: Json, subject: string, depth: number): string {
    const { additionalProperties, properties } = schema;
    if (additionalProperties !== undefined) {
      const inner =
        depth <= 0
          ? "true"
          : this.#condition(additionalProperties as Json, `${subject}[k${depth}]`, depth - 1);
      return this.#pick([
        `${subject}.all(k${depth}, ${inner})`,
        `'k1' in ${subject}`,
        `${subject}.size() < 3`,
        `has(${subject}.k1) && ${subject} == ${subject}`,
        `${subject}.exists(k${depth}, k${depth}.startsWith('k'))`,
      ]);
    }
    const [name, property] = this.#pick(Object.entries((properties ?? {}) as Json)) ?? [];
    if (name === undefined || depth <= 0) {
      return `${subject} == ${subject}`;
    }
    const field = `${subject}.${escaped(name)}`;
    const inner = this.#condition(property as Json, field, depth - 1);
    return this.#pick([`has(${field}) && ${inner}`, `!has(${field}) || ${inner}`, inner]);
  }

  #maybe<T extends Json>(part: T, share = 0.5): T | Record<string, never> {
    return this.#chance(share) ? part : {};
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }
}

function escaped(name: string): string {
  return name === "namespace"
    ? "__namespace__"
    : name.replace("__", "__underscores__").replace("-", "__dash__").replace(".", "__dot__");
}
