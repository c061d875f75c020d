import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv, listType, mapType, objectType, stringType } from "../../src/index.js";

const user = objectType("User", { name: stringType, password: stringType });
const widget = objectType("Widget", {
  user,
  users: listType(user),
  data: mapType(stringType, stringType),
  byName: mapType(stringType, user),
});
const env = celEnv({ version: "1.37", variables: { self: widget } });
const self = {
  user: { name: "ann", password: "hunter2" },
  users: [{ name: "bob", password: "hunter2" }],
  data: { key: "hunter2" },
  byName: { ann: { name: "ann", password: "hunter2" } },
};

/** Everything below `data`, and every `password` or object with one. */
function isSecret(path: readonly string[]): boolean {
  const last = path.at(-1) ?? "";
  return (
    (path.includes("data") && last !== "@keys") ||
    !["name", "@keys"].includes(last) ||
    path.length === 1
  );
}

it.each([
  ["self.user.password == 'x'", "self.user.password (secret) == 'x'"],
  ["self.user.name == 'x'", `self.user.name ("ann") == 'x'`],
  ["self.user == self.users[0]", "self.user (secret) == self.users[0] (secret)"],
  ["self.user.password + 'y' == 'x'", "self.user.password (secret) + 'y' == 'x'"],
  ["self.user.password.substring(1) == 'x'", "self.user.password.substring(1) (secret) == 'x'"],
  ["size(self.user.password) > 9", "size(self.user.password) (secret) > 9"],
  ["[self.user.password] == ['x']", "[self.user.password (secret)] == ['x']"],
  ["self.data['key'] == 'x'", "self.data['key'] (secret) == 'x'"],
  ["self.data.key == 'x'", "self.data.key (secret) == 'x'"],
  ["self.users.all(u, u.password == 'x')", "self.users[0]: u.password (secret) == 'x'"],
  ["self.users.all(u, u.name == 'x')", `self.users[0]: u.name ("bob") == 'x'`],
  [
    "self.users.map(u, u.password).all(p, p == 'x')",
    "self.users.map(u, u.password)[0]: p (secret) == 'x'",
  ],
  ["self.users.map(u, u.password)[0] == 'x'", "self.users.map(u, u.password)[0] (secret) == 'x'"],
  ["self.data.all(k, self.data[k] == 'x')", `self.data["key"]: self.data[k] (secret) == 'x'`],
  ["self.data.all(k, v, v == k)", `self.data["key"]: v (secret) == k ("key")`],
  ["self.data.all(k, k == 'x')", `self.data["key"]: k ("key") == 'x'`],
  [
    "self.byName.all(k, v, v.password == k)",
    `self.byName["ann"]: v.password (secret) == k ("ann")`,
  ],
  ["{self.user.password: 1}.all(k, k == 'x')", "{self.user.password: 1}[0]: k (secret) == 'x'"],
  [
    "(self.user.name == 'ann' ? self.user.password : 'y') == 'x'",
    "(self.user.name (\"ann\") == 'ann' ? self.user.password (secret) : 'y') == 'x'",
  ],
  ["dyn(self.user.password) == 'x'", "dyn(self.user.password) (secret) == 'x'"],
  ["self.data[self.user.password] == 'x'", "self.data[self.user.password] (secret) == 'x'"],
  ["int(self.user.password) == 1", "int(self.user.password (secret)) == 1"],
  ["self.?user.?password.orValue('') == 'x'", "self.?user.?password.orValue('') (secret) == 'x'"],
  [
    "optional.of(self.user.password).value() == 'x'",
    "optional.of(self.user.password).value() (secret) == 'x'",
  ],
])("VS7 [+]: an explanation leaves out what comes from secrets: %s", (source, text) => {
  const explanation = env.compile(source).explain({ self }, { isSecret });
  assert.equal(explanation.text, text);
  assert.equal(JSON.stringify(explanation).includes("hunter2"), false);
});

it("VS7 [+]: without secrets all values are shown", () => {
  const { text } = env.compile("self.user.password == 'x'").explain({ self });
  assert.equal(text, `self.user.password ("hunter2") == 'x'`);
});
