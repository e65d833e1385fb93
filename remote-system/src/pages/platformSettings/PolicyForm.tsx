import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { pickInputFields } from '@iot/shared/contract/endpoint'
import { toTextOptions } from '@iot/shared/contract/options'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import { captchaModeText, idleMinutesLimits } from '@iot/shared/contract/platform/platformSettings'
import {
  SecurityPolicy,
  type CaptchaMode,
  type PlatformSettings,
} from '@iot/shared/contract/platform/platformSettings.schema'
import { FormDialog, FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NumberItem, RadioItem } from '@iot/shared/ui/items'

type Roles = Output<typeof platformSettingsApi.roles>
type PolicyFormProps = {
  settings: PlatformSettings
  roles: Roles | undefined
  onSaved: () => void
  onClose: () => void
}

/** Edits captcha, password rules, idle time and required second factors. */
export default function PolicyForm({ settings, roles, onSaved, onClose }: PolicyFormProps) {
  const [form] = Form.useForm<SecurityPolicy>()
  const captcha = Form.useWatch('captcha', form) ?? settings.captcha
  const roleNames = Object.fromEntries((roles ?? []).map(({ id, name }) => [id, name]))
  const formatValue = (name: string, value: unknown) =>
    name === 'captcha'
      ? captchaModeText[value as CaptchaMode]
      : name === 'secondFactorRoleIds' &&
        ((value as string[]).map((id) => roleNames[id] ?? id).join('、') || '没有')
  return (
    <FormDialog<SecurityPolicy>
      title="登录和密码"
      wide
      form={form}
      schema={SecurityPolicy}
      initial={{
        ...(pickInputFields(SecurityPolicy, settings) as SecurityPolicy),
        id: settings.id,
        version: settings.version,
      }}
      show={formatValue}
      draft="platformPolicy"
      to={platformSettingsApi.updatePolicy}
      send={(draft, revision, options) =>
        call(
          platformSettingsApi.updatePolicy,
          {
            ...(pickInputFields(SecurityPolicy, draft) as SecurityPolicy),
            id: settings.id,
            version: settings.version,
            ...revision,
          },
          options,
        )
      }
      words={{ ok: '保存', done: '登录和密码的规则已保存' }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="登录">
        <RadioItem
          of={SecurityPolicy}
          name="captcha"
          options={toTextOptions(captchaModeText)}
          style={fullRowStyle}
        />
        {captcha === 'afterFailures' && (
          <NumberItem
            of={SecurityPolicy}
            name="captchaAfterFailures"
            suffix="次"
            extra="第 5 次失败会锁定 10 分钟"
          />
        )}
        <NumberItem
          of={SecurityPolicy}
          name="idleMinutes"
          suffix="分钟"
          extra={`没有操作多久后退出，至少 ${idleMinutesLimits.min}；0 为不退出`}
        />
        <ChoiceItem
          of={SecurityPolicy}
          name="secondFactorRoleIds"
          mode="multiple"
          allowClear
          options={roles?.map(({ id, name }) => ({ value: id, label: name }))}
          extra="这些角色的人下次登录时须先开启两步验证"
          style={fullRowStyle}
        />
      </FormGroup>
      <FormGroup title="密码">
        <NumberItem
          of={SecurityPolicy}
          name="passwordMinLength"
          suffix="位"
          extra="下次设置密码时起作用；总要含字母和数字、不含账号、不是常见密码"
        />
        <NumberItem
          of={SecurityPolicy}
          name="passwordHistory"
          suffix="个"
          extra="新密码不能与最近几个相同；0 为只和原密码比"
        />
        <NumberItem
          of={SecurityPolicy}
          name="passwordMaxAgeDays"
          suffix="天"
          extra="到期后下次登录须更换；0 为一直有效"
        />
      </FormGroup>
    </FormDialog>
  )
}
