import { tsImport } from 'tsx/esm/api'

/** Starts the PostgreSQL server that all server tests of a run share. */
export default async () => {
  const { startSharedPostgres } = await tsImport('./testing.database.ts', import.meta.url)
  globalThis.sharedPostgres = await startSharedPostgres()
}
