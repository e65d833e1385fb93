import AudioOutlined from '@ant-design/icons/AudioOutlined'
import useDebounce from 'ahooks/es/useDebounce'
import useRequest from 'ahooks/es/useRequest'
import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { useCommandRefusalReason } from '@iot/shared/control/sendCommand'
import { createSpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { useComposedText } from '@iot/shared/ui/composition'
import { useRefusalReason } from '@iot/shared/ui/right'
import type { Hit, ProjectData } from './useSearchHits'

export const commandKeyPrefix = 'command '
/** A text without any of these words is a name to search. */
const commandWords = /[开关熄灭调亮暗暖冷]|灯|%|百分之|色温|执行|切换/
const quietOptions = { quiet: true }

/** Reads the text as a command; choosing it opens home, which shows the preflight. Nothing is sent from here. */
export function useCommandHit(searchText: string, projectData: ProjectData | undefined) {
  const projectId = useAtomValue(currentProjectIdAtom)
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const refusal = useRefusalReason()
  const commandRefusal = useCommandRefusalReason()
  const sentence = useComposedText(searchText).trim()
  const debouncedSentence = useDebounce(sentence, { wait: 200 })
  const isCommand = debouncedSentence.length > 1 && commandWords.test(debouncedSentence)
  const homeParams = pathname === paths.home() ? search : ''
  const reading = useRequest(
    async () => {
      const [{ list: scenes }, spaces] = projectData!
      const tree = createSpaceTree(spaces)
      const [lights, modes, groups, { prepareSentence }] = await Promise.all([
        call(deviceApi.lights, { projectId }, quietOptions),
        call(deviceApi.actionModes, {}, quietOptions),
        call(deviceGroupApi.list, { projectId }, quietOptions),
        import('../../pages/home/voice/prepareSentence'),
      ])
      const params = new URLSearchParams(homeParams)
      const spaceId = params.get('scope') ?? params.get('floor') ?? tree.floorsOf()[0]?.id
      const prepared = await prepareSentence(debouncedSentence, {
        projectId,
        scenes,
        tree,
        counts: new Map(lights.map((space) => [space.spaceId, space])),
        groups,
        here: params.has('group') ? undefined : tree.get(spaceId),
        hereGroup: groups.find(({ id }) => id === params.get('group')),
        modes,
        findRefusal: (to) => refusal(to, commandRefusal),
      })
      return { sentence: debouncedSentence, prepared }
    },
    { ready: isCommand && !!projectData, refreshDeps: [projectId, debouncedSentence, homeParams] },
  )
  // The reading of an earlier text is not shown.
  const prepared = reading.data?.sentence === sentence ? reading.data.prepared : undefined
  const hit = useMemo((): Hit | undefined => {
    if (!prepared || prepared.kind === 'refusal') return undefined
    const common = {
      key: commandKeyPrefix + sentence,
      kind: '口令' as const,
      icon: <AudioOutlined />,
    }
    if (prepared.kind === 'answer')
      return { ...common, name: prepared.text, detail: '', keepsOpen: true, open: () => {} }
    const { title, request } = prepared.action
    const params = new URLSearchParams(homeParams)
    if (request.kind === 'scene') params.set('scene', request.sceneId)
    else params.set('command', sentence)
    const open = () => void navigate(`${paths.home()}?${params}`)
    return { ...common, name: title, detail: '先预检，再确认', open }
  }, [prepared, sentence, homeParams, navigate])
  const isPending = commandWords.test(sentence) && sentence.length > 1 && !prepared
  return {
    hit,
    refusal: prepared?.kind === 'refusal' ? prepared.reason : undefined,
    loading: isPending && !reading.error,
  }
}
