import useRequest from 'ahooks/es/useRequest'
import { lookup } from 'region-data'
import { formatRegionLabel, getRegionNames } from 'region-data/tree'

/** Current status of a stored code. The table of abolished codes is loaded only for a code that is not in use. */
export type CodeStatus =
  | { kind: 'none' | 'current' | 'loading' | 'unknown'; label: string }
  | {
      kind: 'abolished'
      label: string
      name: string
      successors: { code: string; label: string }[]
    }

const separator = ' / '

async function loadCodeStatus(code: string): Promise<CodeStatus> {
  const { findAbolishedCode, formatOldLabel } = await import('region-data/old-codes')
  const oldRegion = findAbolishedCode(code)
  if (!oldRegion) return { kind: 'unknown', label: `未知代码 ${code}` }
  const label = formatOldLabel(code, separator)
  const getDistinctNames = (successor: string) =>
    getRegionNames(successor).filter((name) => !label.split(separator).includes(name))
  return {
    kind: 'abolished',
    label: `${label}（已撤并）`,
    name: oldRegion.name,
    successors: oldRegion.successors.map((successor) => ({
      code: successor,
      label: getDistinctNames(successor).join('') || oldRegion.name,
    })),
  }
}

export function useCodeStatus(code: string | undefined): CodeStatus {
  const isCurrent = !code || lookup(code, 'area') !== undefined
  const { data } = useRequest(async () => ({ code, standing: await loadCodeStatus(code!) }), {
    ready: !isCurrent,
    refreshDeps: [code],
  })
  if (!code) return { kind: 'none', label: '' }
  if (isCurrent) return { kind: 'current', label: formatRegionLabel(code, separator) }
  return data?.code === code ? data.standing : { kind: 'loading', label: code }
}
