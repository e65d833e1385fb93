import Checkbox from 'antd/es/checkbox'
import Flex from 'antd/es/flex'
import Switch from 'antd/es/switch'
import { useAtom } from 'jotai'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import { toTextOptions } from '@iot/shared/contract/options'
import { alertsAtom, defaultSeverities } from './alerts'
import { useNotificationPermission } from './notificationPermission'
import { playAlertSound } from './sound'
import { reportError } from '../../pages/errors/reportError'

/** Lets the user choose which incidents alert and in which way; by default none does. */
export default function AlertChoices() {
  const [alerts, setAlerts] = useAtom(alertsAtom)
  const { severities = defaultSeverities, sound, notify } = alerts
  const { refusal, request } = useNotificationPermission()
  const setNotify = async (isWanted: boolean) =>
    setAlerts({ ...alerts, notify: isWanted && (await request()) })
  return (
    <Flex vertical gap={12}>
      <Checkbox.Group
        aria-label="提醒哪些级别的告警"
        style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 6 }}
        options={toTextOptions(severityText)}
        value={severities}
        onChange={(values) => setAlerts({ ...alerts, severities: values as AlarmSeverity[] })}
      />
      <Flex justify="space-between">
        声音
        <Switch
          aria-label="声音"
          checked={sound}
          onChange={(isOn) => {
            setAlerts({ ...alerts, sound: isOn })
            if (isOn) playAlertSound().catch(reportError)
          }}
        />
      </Flex>
      <Flex justify="space-between">
        浏览器通知
        <Switch
          aria-label="浏览器通知"
          disabled={!!refusal && !notify}
          checked={notify && !refusal}
          onChange={(isWanted) => void setNotify(isWanted).catch(reportError)}
        />
      </Flex>
      <small>
        当前项目所选级别的新告警，和通知策略发给您的告警，在任何页面都会提醒；开着几个标签页也只提醒一次。
      </small>
      {refusal && <small>{refusal}</small>}
    </Flex>
  )
}
