import { useRequest } from 'ahooks'
import { lookup } from 'region-data'
import { labelOf, namesOf } from 'region-data/tree'

/** Current status of a stored code. The table of abolished codes is loaded only for a code that is not in use. */
export type Standing =
  | { kind: 'none' | 'current' | 'loading' | 'unknown'; label: string }
  | {
      kind: 'abolished'
      label: string
      name: string
      successors: { code: string; label: string }[]
    }

const separator = ' / '

async function standingOf(code: string): Promise<Standing> {
  const { abolished, oldLabelOf } = await import('region-data/old-codes')
  const old = abolished(code)
  if (!old) return { kind: 'unknown', label: `未知代码 ${code}` }
  const label = oldLabelOf(code, separator)
  const apart = (successor: string) =>
    namesOf(successor).filter((name) => !label.split(separator).includes(name))
  return {
    kind: 'abolished',
    label: `${label}（已撤并）`,
    name: old.name,
    successors: old.successors.map((successor) => ({
      code: successor,
      label: apart(successor).join('') || old.name,
    })),
  }
}

export function useStanding(code: string | undefined): Standing {
  const isCurrent = !code || lookup(code, 'area') !== undefined
  const { data } = useRequest(async () => ({ code, standing: await standingOf(code!) }), {
    ready: !isCurrent,
    refreshDeps: [code],
  })
  if (!code) return { kind: 'none', label: '' }
  if (isCurrent) return { kind: 'current', label: labelOf(code, separator) }
  return data?.code === code ? data.standing : { kind: 'loading', label: code }
}
