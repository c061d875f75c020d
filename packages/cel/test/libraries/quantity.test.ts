import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv } from "../../src/environment/cel-env.js";
import { CelQuantity } from "../../src/libraries/quantity/cel-quantity.js";
import { quantityLibrary } from "../../src/libraries/quantity/quantity-library.js";
import { call, costOfCall, plain } from "./call.js";
import { outcomeOf, type Term } from "./term.js";

const env = celEnv();
const resultOf = (term: Term) => plain(outcomeOf(env, term).result);
const quantity = (text: string): Term => ["quantity", text];
const textOf = (term: Term) => {
  const { result } = outcomeOf(env, term);
  return result instanceof CelQuantity ? result.toString() : plain(result);
};

it("VK11: isQuantity takes what ParseQuantity takes", () => {
  const valid = [
    ..."n,u,m,k,M,G,T,P,E,Ki,Mi,Gi,Ti,Pi,Ei,e3,E3,e-3,e+3".split(",").map((suffix) => `1${suffix}`),
    "0",
    "-0",
    "+1",
    "-1.5Gi",
    ".5",
    "1.",
    "+",
    ".",
    "Mi",
    "1e2000",
    "1e-2000",
    "123456789012345678901234567890",
    "0.0000000001",
  ];
  const invalid = [
    "",
    " 1",
    "1 ",
    "200K",
    "10Mo",
    "10Mm",
    "Three",
    "1,3G",
    "1e",
    "1e1.5",
    "--1",
    "1.2.3",
    "Ei",
    "1ki",
    "1e99999999999999999999",
  ];
  const isQuantity = (text: string) => call(quantityLibrary, "isQuantity", text);
  assert.deepEqual(
    valid.filter((text) => isQuantity(text) !== true),
    [],
  );
  assert.deepEqual(
    invalid.filter((text) => isQuantity(text) !== false),
    [],
  );
});

it("VK11: quantity explains with apimachinery's message why a text is not a quantity", () => {
  const messages = {
    "": "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    "10Mm": "unable to parse quantity's suffix",
    "1e99999999999999999999": "unable to parse quantity's suffix",
    Ei: "unable to parse numeric part of quantity",
  };
  for (const [text, error] of Object.entries(messages)) {
    assert.deepEqual(plain(call(quantityLibrary, "quantity", text)), { error });
  }
});

it("CEL31: sums, differences and comparisons", () => {
  const chain: Term = [".sub", [".sub", [".add", quantity("50k"), 20], quantity("100k")], -50_000];
  assert.equal(resultOf([".asInteger", chain]), 20);
  assert.equal(resultOf(["==", [".add", quantity("50k"), quantity("20k")], quantity("70k")]), true);
  assert.equal(resultOf([".compareTo", quantity("200M"), quantity("0.2G")]), 0);
  assert.equal(resultOf([".compareTo", quantity("50M"), quantity("50Mi")]), -1);
  assert.equal(resultOf([".compareTo", quantity("50Mi"), quantity("50M")]), 1);
  assert.equal(resultOf([".isGreaterThan", quantity("150Mi"), quantity("100Mi")]), true);
  assert.equal(resultOf([".isLessThan", quantity("1e1000000"), quantity("1e1000001")]), true);
  assert.equal(resultOf([".isLessThan", quantity("-1e1000000"), quantity("1n")]), true);
});

it("VK11: isInteger is true only for a number that Go holds in 64 bits without a fraction", () => {
  const integers = ["0", "50k", "50000000G", "1Ki", "1e3", "9e18", "-5", "99Ti", "0e99"];
  const others = ["0.0", "1.0", "1000m", "1Pi", "9e19", "1234567890123456789", "1.5", "1n"];
  const isInteger = (text: string) => resultOf([".isInteger", quantity(text)]);
  assert.deepEqual(
    integers.filter((text) => isInteger(text) !== true),
    [],
  );
  assert.deepEqual(
    others.filter((text) => isInteger(text) !== false),
    [],
  );
  assert.equal(resultOf([".asInteger", quantity("9e18")]), 9_000_000_000_000_000_000n);
  assert.deepEqual(resultOf([".asInteger", quantity("1.5")]), {
    error: "cannot convert value to integer",
  });
});

it("VK11: asApproximateFloat rounds as Go does", () => {
  const float = (text: string) => resultOf([".asApproximateFloat", quantity(text)]);
  assert.deepEqual(float("50.703k"), { double: 50_703 });
  assert.deepEqual(float("0.1"), { double: 1 * 0.1 });
  assert.deepEqual(float("1e400"), { double: Number.POSITIVE_INFINITY });
  assert.deepEqual(float("-1e400"), { double: Number.NEGATIVE_INFINITY });
  assert.deepEqual(float("1Ei"), { double: 2 ** 60 });
});

it("VK11: fractions below the nano unit are rounded away from zero", () => {
  assert.equal(resultOf(["==", quantity("0.0000000001"), quantity("1n")]), true);
  assert.equal(resultOf(["==", quantity("-0.0000000001"), quantity("-1n")]), true);
  assert.equal(resultOf(["==", quantity("1e-2000"), quantity("1n")]), true);
  assert.equal(resultOf(["==", quantity("99Ei"), quantity("9223372036854775807")]), true);
});

it("VK11: a result has the canonical text in the family of the receiver's suffix", () => {
  assert.equal(textOf(quantity("1.50")), "1500m");
  assert.equal(textOf(quantity("0.0000000000")), "0");
  assert.equal(textOf([".add", quantity("0.0000000000"), quantity("1")]), "1");
  assert.equal(textOf(quantity("1.5Gi")), "1536Mi");
  assert.equal(textOf([".add", quantity("1Gi"), quantity("1G")]), "2073741824");
  assert.equal(textOf([".add", quantity("1Gi"), 1024]), "1048577Ki");
  assert.equal(textOf([".add", quantity("1k"), quantity("1Ki")]), "2024");
  assert.equal(textOf([".add", quantity("0"), 1000]), "1e3");
  assert.equal(textOf([".sub", quantity("2e3"), quantity("1k")]), "1e3");
});

it("VK11: a quantity that add or sub computed cannot stand right of ==", () => {
  const computed: Term = [".add", quantity("1"), 1];
  assert.equal(resultOf(["==", computed, quantity("2")]), true);
  assert.deepEqual(resultOf(["==", quantity("2"), computed]), { error: "no such overload" });
  const itself = celEnv().compile("[quantity('1').add(1)].all(x, x == x)").evaluate({});
  assert.ok(!itself.ok && itself.error.message === "no such overload");
});

it("VK11: sums of exponents that are too far apart fail instead of filling the memory", () => {
  assert.deepEqual(resultOf([".add", quantity("1e2000000000"), quantity("1")]), {
    error: "the exponents of the quantities are too far apart",
  });
});

it("CEL32: sign is a function", () => {
  assert.equal(resultOf(["sign", quantity("-1n")]), -1);
  assert.equal(resultOf(["sign", quantity("0")]), 0);
  assert.equal(resultOf(["sign", quantity("1Ei")]), 1);
  const sign = quantityLibrary.functions.find(({ name }) => name === "sign");
  assert.deepEqual(
    sign?.overloads.map(({ member }) => member),
    [false],
  );
});

it("VC1: parsing a quantity costs a tenth of a unit per character, all else one unit", () => {
  assert.equal(costOfCall(quantityLibrary, "quantity", "12345678901"), 2);
  assert.equal(outcomeOf(env, [".add", quantity("1"), quantity("2")]).cost, 3);
});
