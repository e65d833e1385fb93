import { Flex, Switch } from 'antd'
import { useAtom } from 'jotai'
import { reportError } from '../../pages/errors/reportError'
import { desktopNotificationsAtom } from './alerts'
import { useNotificationPermission } from './notificationPermission'

/** Lets a user have what the notification policies tell them shown by the operating system, too. */
export function DesktopNotificationSetting() {
  const [wantsDesktop, setWantsDesktop] = useAtom(desktopNotificationsAtom)
  const { refusal, request } = useNotificationPermission()
  const change = async (isWanted: boolean) => setWantsDesktop(isWanted && (await request()))
  return (
    <>
      <Flex justify="space-between" align="center">
        <span>浏览器通知</span>
        <Switch
          aria-label="告警的浏览器通知"
          disabled={!!refusal && !wantsDesktop}
          checked={wantsDesktop && !refusal}
          onChange={(isWanted) => void change(isWanted).catch(reportError)}
        />
      </Flex>
      <small>
        {refusal
          ? `${refusal}告警仍显示在页面左下角。`
          : '通知策略发给您的告警，页面不在前面时也看得到。'}
      </small>
    </>
  )
}
