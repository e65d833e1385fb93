import type { TaskQueries, TaskRow } from './queries'
import type { ResultStore } from './resultStore'

/** One-time secrets lie beside the result file of their task. */
export const getSecretsFileId = (id: string) => `${id}-secrets`

/** Returns a function that hands out the one-time secrets of a task. */
export const createSecretsDownload =
  (queries: TaskQueries, results: ResultStore, reportError: (error: Error) => void) =>
  async ({ id, secrets }: TaskRow) => {
    if (!secrets || !(await queries.takeSecrets(id))) return undefined
    const file = await results.read(getSecretsFileId(id))
    if (!file) return undefined
    const endDownload = async (hasArrived: boolean) => {
      if (hasArrived) await results.remove(getSecretsFileId(id))
      else await queries.giveBackSecrets(id, secrets)
    }
    return {
      ...file,
      name: secrets.name,
      end: (ok: boolean) => void endDownload(ok).catch(reportError),
    }
  }
