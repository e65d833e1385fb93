import { tsImport } from 'tsx/esm/api'

/** The template of the in-memory database is made before the tests, whose time it is not. */
export default async () => {
  const { template } = await tsImport('./testing.template.ts', import.meta.url)
  // The thread of the database keeps no process alive, and Jest has nothing else to wait for yet.
  const waiting = setInterval(() => {}, 1000)
  await template().finally(() => clearInterval(waiting))
}
