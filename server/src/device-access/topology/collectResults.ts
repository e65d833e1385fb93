import { AlinkError, type Identity } from '../protocol/alink'

export const pickIdentity = ({ productKey, deviceName }: Identity) => ({ productKey, deviceName })

/** Returns all results or throws one refusal that names every refused device, as documented. */
export function collectResults<R>(identities: Identity[], results: PromiseSettledResult<R>[]): R[] {
  const refusals = results.flatMap((result, index) =>
    result.status === 'rejected'
      ? [{ ...pickIdentity(identities[index]!), error: result.reason as unknown }]
      : [],
  )
  const [first] = refusals
  if (!first) return results.map((result) => (result as PromiseFulfilledResult<R>).value)
  for (const { error } of refusals) if (!(error instanceof AlinkError)) throw error
  const data = refusals.map(({ error, ...pair }) => {
    const { code, message } = error as AlinkError
    return { ...pair, code, message }
  })
  throw new AlinkError(data[0]!.code, data[0]!.deviceName, data)
}

/** Checks all items at once and collects their results or refusals. */
export const checkAll = async <T extends Identity, R>(items: T[], check: (one: T) => Promise<R>) =>
  collectResults(items, await Promise.allSettled(items.map(check)))
