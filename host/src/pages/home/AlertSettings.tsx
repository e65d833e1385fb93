import { BellFilled, BellOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import type { Problem } from '@iot/shared/contract/device'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { alertsAtom } from './alerts'
import { kindText } from './useProblems'

const AlertChoices = lazyPart(() => import('./AlertChoices'))

/** Chosen problems ring and are shown by the browser when they are new; those that were there are not. */
export function AlertSettings({ list }: { list: Problem[] }) {
  const { kinds, sound, notify } = useAtomValue(alertsAtom)
  const known = useRef<Set<string>>(undefined)
  const isOn = kinds.length > 0 && (sound || notify)
  useEffect(() => {
    const now = new Set(list.map(({ kind, id }) => kind + id))
    const news = list.filter(
      ({ kind, id }) => known.current && !known.current.has(kind + id) && kinds.includes(kind),
    )
    known.current = now
    if (news.length === 0) return
    if (sound) void import('./sound').then(({ ring }) => ring())
    if (notify && 'Notification' in window && Notification.permission === 'granted') {
      const [first] = news
      const text = news.length > 1 ? `等 ${news.length} 个问题` : first!.reason
      new Notification(`${kindText[first!.kind]}：${first!.name}`, { body: text, tag: 'problems' })
    }
  }, [list, kinds, sound, notify])

  return (
    <Popover trigger="click" placement="bottomRight" title="新问题提醒" content={<AlertChoices />}>
      <Button
        size="small"
        type="text"
        icon={isOn ? <BellFilled /> : <BellOutlined />}
        aria-label="提醒设置"
        title={isOn ? '提醒已开' : '提醒设置'}
      />
    </Popover>
  )
}
