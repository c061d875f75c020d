/** A compiler mode and a mistake that only this mode finds. The mistake shows that the mode is in force. */
export interface StrictMode {
  readonly name: string;
  readonly options: Readonly<Record<string, boolean>>;
  readonly mistake: string;
  /** Pattern of the error codes that compilers report for the mistake. */
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

/** Mode of TypeScript 5.5 and later. */
export const isolatedDeclarations: StrictMode = {
  name: "isolatedDeclarations",
  options: { isolatedDeclarations: true, declaration: true },
  mistake: "export function two() { return Math.max(1, 2); }",
  error: "(?:TS9007|TS9013)",
};
