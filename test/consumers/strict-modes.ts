/** A mode of the compiler, and a mistake that it alone finds: a mode that is not in force would prove nothing. */
export interface StrictMode {
  readonly name: string;
  readonly options: Readonly<Record<string, boolean>>;
  readonly mistake: string;
  /** Codes that a compiler may give it. */
  readonly error: string;
}

export const strictModes: readonly StrictMode[] = [
  {
    name: "strict",
    options: {},
    mistake: "export const text: string = undefined;",
    error: "TS2322",
  },
  {
    name: "exactOptionalPropertyTypes",
    options: { exactOptionalPropertyTypes: true },
    mistake: "export const one: { a?: number } = { a: undefined };",
    error: "TS2375",
  },
  {
    name: "noUncheckedIndexedAccess",
    options: { noUncheckedIndexedAccess: true },
    mistake: 'export const one: string = ["a"][0];',
    error: "TS2322",
  },
  {
    name: "verbatimModuleSyntax",
    options: { verbatimModuleSyntax: true },
    mistake:
      'import { PodSpec } from "typekube/api/core/v1";\nexport const spec: PodSpec = { containers: [] };',
    error: "TS1484",
  },
  {
    name: "isolatedModules",
    options: { isolatedModules: true },
    mistake: 'export { PodSpec } from "typekube/api/core/v1";',
    error: "TS1205",
  },
];

/** Since TypeScript 5.5. */
export const isolatedDeclarations: StrictMode = {
  name: "isolatedDeclarations",
  options: { isolatedDeclarations: true, declaration: true },
  mistake: "export function two() { return Math.max(1, 2); }",
  error: "(?:TS9007|TS9013)",
};
