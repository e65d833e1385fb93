import DesktopOutlined from '@ant-design/icons/DesktopOutlined'
import MoonOutlined from '@ant-design/icons/MoonOutlined'
import SunOutlined from '@ant-design/icons/SunOutlined'
import Flex from 'antd/es/flex'
import Segmented from 'antd/es/segmented'
import Switch from 'antd/es/switch'
import Tooltip from 'antd/es/tooltip'
import { useAtom } from 'jotai'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import {
  buttonSettingAtom,
  type ButtonSetting,
  type Theme,
  themeAtom,
} from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { canSpeak, speak } from '@iot/shared/ui/voice'
import AlertChoices from './alerts/AlertChoices'
import * as styles from './layout.module.css'

const buttonSizes: { value: ButtonSetting['size']; label: string }[] = [
  { value: 'small', label: '小' },
  { value: 'middle', label: '中' },
  { value: 'large', label: '大' },
]
const themeOptions: { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'light', label: '浅色', icon: <SunOutlined /> },
  { value: 'dark', label: '深色', icon: <MoonOutlined /> },
  { value: 'system', label: '跟随系统', icon: <DesktopOutlined /> },
]

export default function AppearanceSettings() {
  const [{ size, openVoice }, setButtonSetting] = useAtom(buttonSettingAtom)
  const [theme, setTheme] = useAtom(themeAtom)
  const canListIncidents = useCan()(incidentApi.page)
  return (
    <div className={styles.settings}>
      <strong>外观</strong>
      <Segmented block aria-label="主题" options={themeOptions} value={theme} onChange={setTheme} />
      <strong>按钮设置</strong>
      <Flex justify="space-between" align="center">
        <span>按钮大小</span>
        <Segmented
          aria-label="按钮大小"
          options={buttonSizes}
          value={size}
          onChange={(size) => setButtonSetting({ size, openVoice })}
        />
      </Flex>
      <Flex justify="space-between" align="center">
        <span>语音播报</span>
        <Tooltip title={!canSpeak && '此浏览器不能朗读，结果只以文字显示'}>
          <Switch
            aria-label="语音播报"
            checked={openVoice}
            onChange={(openVoice) => {
              setButtonSetting({ size, openVoice })
              if (openVoice) speak('语音播报已打开')
            }}
          />
        </Tooltip>
      </Flex>
      {canListIncidents && (
        <>
          <strong>新告警提醒</strong>
          <AlertChoices />
        </>
      )}
    </div>
  )
}
