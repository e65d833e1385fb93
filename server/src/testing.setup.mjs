import { tsImport } from 'tsx/esm/api'

/** The template of the in-memory database is made before the tests, whose time it is not. */
export default async () => (await tsImport('./testing.template.ts', import.meta.url)).template()
