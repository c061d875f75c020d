import assert from "node:assert/strict";
import { it } from "vitest";
import { jsonpatchLibrary } from "../../src/libraries/jsonpatch/jsonpatch-library.js";
import { call, costOfCall } from "./call.js";

it("VK20: jsonpatch.escapeKey escapes slashes and tildes once", () => {
  const escape = (key: string) => call(jsonpatchLibrary, "jsonpatch.escapeKey", key);
  assert.equal(escape("a/b~c"), "a~1b~0c");
  assert.equal(escape("k8s.io/my~label"), "k8s.io~1my~0label");
  assert.equal(escape("~1/"), "~01~1");
  assert.equal(escape(""), "");
  assert.equal(costOfCall(jsonpatchLibrary, "jsonpatch.escapeKey", "k8s.io/my~label"), 2);
});
