import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { commandKeyPrefix } from './useCommandHit'
import { recentChoicesAtom } from './recentChoices'
import type { Hit } from './useSearchHits'

/**
 * Lists what was chosen last, as far as it can still be opened: pages, scenes and places must still be offered, and
 * devices belong to the current project. A command is only typed again, so that it is read in the current scope.
 */
export function useRecentHits(offeredHits: Hit[], setSearchText: (text: string) => void): Hit[] {
  const recentChoices = useAtomValue(recentChoicesAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const navigate = useNavigate()
  const searchFor = useMemoizedFn(setSearchText)
  return useMemo(
    () =>
      recentChoices.flatMap((choice): Hit[] => {
        const { key, name, path } = choice
        const common = { key: `recent ${key}`, kind: '最近' as const, name }
        if (key.startsWith(commandKeyPrefix)) {
          const sentence = key.slice(commandKeyPrefix.length)
          const open = () => searchFor(sentence)
          const icon = <ThunderboltOutlined />
          return [{ ...common, name: sentence, detail: '口令', icon, keepsOpen: true, open }]
        }
        if (path && choice.projectId === projectId) {
          const open = () => void navigate(path)
          return [{ ...common, detail: '设备', icon: <BulbOutlined />, recent: choice, open }]
        }
        const offeredHit = offeredHits.find((hit) => hit.key === key)
        return offeredHit ? [{ ...offeredHit, ...common, name: offeredHit.name }] : []
      }),
    [recentChoices, projectId, offeredHits, navigate, searchFor],
  )
}
