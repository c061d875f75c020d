import assert from "node:assert/strict";
import { it } from "vitest";
import { jsonpatchLibrary } from "../../src/libraries/jsonpatch/jsonpatch-library.js";
import { call, costOfCall } from "./call.js";

it("VK20: jsonpatch.escapeKey escapes slashes and tildes once", () => {
  const escapeKey = (key: string) => call(jsonpatchLibrary, "jsonpatch.escapeKey", key);
  assert.equal(escapeKey("a/b~c"), "a~1b~0c");
  assert.equal(escapeKey("k8s.io/my~label"), "k8s.io~1my~0label");
  assert.equal(escapeKey("~1/"), "~01~1");
  assert.equal(escapeKey(""), "");
  assert.equal(costOfCall(jsonpatchLibrary, "jsonpatch.escapeKey", "k8s.io/my~label"), 2);
});
