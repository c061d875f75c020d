import assert from "node:assert/strict";
import { it } from "vitest";
import { lazyFunction } from "../../src/functions/lazy-function.js";
import { overload } from "../../src/functions/overload.js";
import { boolType } from "../../src/values/cel-type.js";

it("VS4: the signatures of a lazy function are created on first use, once", () => {
  let created = 0;
  const yes = lazyFunction("yes", () => {
    created += 1;
    return [overload("yes", [], boolType, () => true)];
  });
  assert.equal(yes.name, "yes");
  assert.equal(created, 0);
  assert.equal(yes.overloads, yes.overloads);
  assert.deepEqual(
    yes.overloads.map(({ id }) => id),
    ["yes"],
  );
  assert.equal(created, 1);
});
