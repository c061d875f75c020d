import {
  label1035Texts,
  labelTexts,
  labelValueTexts,
  qualifiedNameTexts,
  subdomainTexts,
} from "@typekube/core/internal/texts";
import { expect, it } from "vitest";

it("VK13: a text that is too long and has wrong characters has both problems", () => {
  const wrong = "_".repeat(300);
  for (const [texts, unit] of [
    [labelTexts(wrong), "63 characters"],
    [label1035Texts(wrong), "63 characters"],
    [subdomainTexts(wrong), "253 characters"],
    [labelValueTexts(wrong), "63 bytes"],
    [qualifiedNameTexts(wrong), "63 bytes"],
    [qualifiedNameTexts(`${wrong}/a`), "253 bytes"],
  ] as const) {
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(`must be no more than ${unit}`);
    expect(texts[1]).toMatch("consist of");
  }
});

it("VK13: lengths are counted in bytes of UTF-8", () => {
  expect(labelTexts("é".repeat(31))).toHaveLength(1);
  expect(labelTexts("é".repeat(32))).toHaveLength(2);
});

it("VK13: a name of 400,000 characters is checked without recursion", () => {
  expect(subdomainTexts("a.".repeat(200_000))).toHaveLength(2);
  expect(subdomainTexts(`${"a.".repeat(200_000)}a`)).toHaveLength(1);
});
