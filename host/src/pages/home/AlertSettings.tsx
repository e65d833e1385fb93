import { BellFilled, BellOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { PartBoundary } from '../../layout/PartBoundary'
import { alertsAtom } from './alerts'
import { newProblems, type Known, type News } from './newProblems'
import { kindText } from './useProblems'

const AlertChoices = lazyPart(() => import('./AlertChoices'))

/** Of several on one page, as in a view with two cards of problems, the first one tells. */
const shown: object[] = []

/** Chosen problems ring and are shown by the browser when they are new; those that were there are not. */
export function AlertSettings({ list, counts }: Known) {
  const { kinds, sound, notify } = useAtomValue(alertsAtom)
  const before = useRef<Known>(undefined)
  const isOn = kinds.length > 0 && (sound || notify)
  useEffect(() => {
    shown.push(before)
    return () => void shown.splice(shown.indexOf(before), 1)
  }, [])
  useEffect(() => {
    const now = { list, counts }
    const news = before.current ? newProblems(before.current, now, kinds) : []
    before.current = now
    if (news.length === 0 || shown[0] !== before) return
    if (sound) void import('./sound').then(({ ring }) => ring())
    if (notify && 'Notification' in window && Notification.permission === 'granted') {
      const [{ kind, first, count }] = news as [News]
      const all = news.reduce((sum, one) => sum + one.count, 0)
      const title = first ? `${kindText[kind]}：${first.name}` : `${kindText[kind]} ${count} 个`
      const body = all > 1 ? `共 ${all} 个新问题` : (first?.reason ?? '')
      new Notification(title, { body, tag: 'problems' })
    }
  }, [list, counts, kinds, sound, notify])

  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title="新问题提醒"
      content={
        <PartBoundary>
          <AlertChoices />
        </PartBoundary>
      }
    >
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
