import { Checkbox, Flex, Switch } from 'antd'
import { useAtom } from 'jotai'
import type { ProblemKind } from '@iot/shared/contract/device.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { alertsAtom } from './alerts'
import { useNotificationPermission } from './notificationPermission'
import { playAlertSound } from './sound'
import { problemKindText } from './useProblems'
import { reportError } from '../../pages/errors/reportError'

/** Lets the operator choose which incidents raise an alert and in which way; all are off by default. */
export default function AlertChoices() {
  const [alerts, setAlerts] = useAtom(alertsAtom)
  const { refusal, request } = useNotificationPermission()
  const setNotify = async (isWanted: boolean) =>
    setAlerts({ ...alerts, notify: isWanted && (await request()) })
  return (
    <Flex vertical gap={12} style={{ width: 240 }}>
      <Checkbox.Group
        aria-label="提醒哪些问题"
        style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 6 }}
        options={toTextOptions(problemKindText)}
        value={alerts.kinds}
        onChange={(kinds) => setAlerts({ ...alerts, kinds: kinds as ProblemKind[] })}
      />
      <Flex justify="space-between">
        声音
        <Switch
          aria-label="声音"
          checked={alerts.sound}
          onChange={(sound) => {
            setAlerts({ ...alerts, sound })
            if (sound) playAlertSound().catch(reportError)
          }}
        />
      </Flex>
      <Flex justify="space-between">
        浏览器通知
        <Switch
          aria-label="浏览器通知"
          disabled={!!refusal && !alerts.notify}
          checked={alerts.notify}
          onChange={(notify) => void setNotify(notify).catch(reportError)}
        />
      </Flex>
      <small>在控制台的任何页面都会提醒；开着几个标签页也只提醒一次。</small>
      {refusal && <small>{refusal}</small>}
    </Flex>
  )
}
