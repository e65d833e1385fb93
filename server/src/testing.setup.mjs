import { tsImport } from 'tsx/esm/api'

/**
 * Creates the template of the in-memory database before the tests start, so that it does not count against their
 * timeouts.
 */
export default async () => {
  const { template } = await tsImport('./testing.template.ts', import.meta.url)
  // The database's thread does not keep the process alive, so a timer does while the template is made.
  const waiting = setInterval(() => {}, 1000)
  await template().finally(() => clearInterval(waiting))
}
