import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import type { DescriptionsProps } from 'antd'
import { useState, type ReactNode } from 'react'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { describePasswordPolicy } from '@iot/shared/contract/access/passwordPolicy'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import {
  captchaModeText,
  platformSettingsTitles,
} from '@iot/shared/contract/platform/platformSettings'
import type { PlatformSettings } from '@iot/shared/contract/platform/platformSettings.schema'
import { defaultThemeColour } from '@iot/shared/contract/colour'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { Card } from '@iot/shared/ui/card'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { DisabledWithReason, useRefusalReason } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { ExampleDataCard } from './ExampleDataCard'
import * as styles from './platformSettings.module.css'

const BrandingForm = lazyDialog(() => import('./BrandingForm'))
const PolicyForm = lazyDialog(() => import('./PolicyForm'))

type Roles = Output<typeof platformSettingsApi.roles>

/** Branding and sign-in policy of the platform. */
export function Component() {
  const settings = useRequest(() => call(platformSettingsApi.read, {}, { inline: true }))
  const roles = useRequest(() => call(platformSettingsApi.roles, {}, { inline: true }))
  const [openForm, setOpenForm] = useState<'branding' | 'policy'>()
  const { data } = settings
  const closeForm = () => setOpenForm(undefined)
  const showSaved = () => {
    settings.refresh()
    roles.refresh()
  }

  return (
    <Flex vertical gap={12}>
      {settings.error && (
        <LoadErrorAlert
          why={settings.error.message}
          hasRows={data !== undefined}
          onRetry={settings.refresh}
        />
      )}
      {!data && !settings.error && <Skeleton active paragraph={{ rows: 10 }} />}
      {data && (
        <>
          <Section
            title="品牌"
            endpoint={platformSettingsApi.updateBranding}
            onEdit={() => setOpenForm('branding')}
            items={describeBranding(data)}
          />
          <Section
            title="登录和密码"
            endpoint={platformSettingsApi.updatePolicy}
            onEdit={() => setOpenForm('policy')}
            items={describePolicy(data, roles.data, roles.error)}
          />
          <ExampleDataCard />
          <Typography.Text type="secondary">
            最近由{data.updateBy}
            更新。密码规则在下次设置密码时、有效天数和两步验证在下次登录时起作用，正在使用的人不会被打断。
          </Typography.Text>
        </>
      )}
      {data && openForm === 'branding' && (
        <BrandingForm settings={data} onSaved={showSaved} onClose={closeForm} />
      )}
      {data && openForm === 'policy' && (
        <PolicyForm settings={data} roles={roles.data} onSaved={showSaved} onClose={closeForm} />
      )}
    </Flex>
  )
}

type SectionProps = {
  title: string
  endpoint: typeof platformSettingsApi.updateBranding | typeof platformSettingsApi.updatePolicy
  items: DescriptionsProps['items']
  onEdit: () => void
}

function Section({ title, endpoint, items, onEdit }: SectionProps) {
  const why = useRefusalReason()(endpoint)
  return (
    <Card
      title={title}
      extra={
        <DisabledWithReason why={why}>
          <Button aria-label={`编辑${title}`} onClick={onEdit}>
            编辑
          </Button>
        </DisabledWithReason>
      }
    >
      <Descriptions column={{ xs: 1, md: 2 }} items={items} />
    </Card>
  )
}

const describe = (name: keyof typeof platformSettingsTitles, children: ReactNode) => ({
  key: name,
  label: platformSettingsTitles[name],
  children,
})
const notSet = (text: string) => <Typography.Text type="secondary">{text}</Typography.Text>
const showPicture = (url: string, absentText: string) =>
  url ? <img src={toFileUrl(url)} alt="" className={styles.picture} /> : notSet(absentText)

const describeBranding = (settings: PlatformSettings) => [
  describe('name', settings.name),
  describe('slogon', settings.slogon || notSet('不显示')),
  describe('logo', showPicture(settings.logo, '产品自带')),
  describe('headerLogo', showPicture(settings.headerLogo, '同标志')),
  describe('loginBg', showPicture(settings.loginBg, '产品自带')),
  describe('favicon', showPicture(settings.favicon, '没有')),
  describe(
    'themeColor',
    <Flex gap={8} align="center">
      <span
        className={styles.swatch}
        style={{ background: settings.themeColor || defaultThemeColour }}
      />
      {settings.themeColor || `${defaultThemeColour}（产品自带）`}
    </Flex>,
  ),
  describe('icp', settings.icp || notSet('不显示')),
]

const describePolicy = (settings: PlatformSettings, roles?: Roles, rolesError?: Error) => [
  describe(
    'captcha',
    settings.captcha === 'afterFailures'
      ? `失败 ${settings.captchaAfterFailures} 次后要`
      : captchaModeText[settings.captcha],
  ),
  describe('idleMinutes', settings.idleMinutes ? `${settings.idleMinutes} 分钟` : notSet('不退出')),
  {
    key: 'password',
    label: '密码规则',
    span: 'filled' as const,
    children: describePasswordPolicy({
      minLength: settings.passwordMinLength,
      history: settings.passwordHistory,
      maxAgeDays: settings.passwordMaxAgeDays,
    }),
  },
  {
    ...describe(
      'secondFactorRoleIds',
      describeRoles(settings.secondFactorRoleIds, roles, rolesError),
    ),
    span: 'filled' as const,
  },
]

function describeRole(role?: Roles[number]) {
  if (!role) return '已删除的角色'
  const { name, users, usersWithoutSecondFactor: waiting } = role
  return waiting > 0 ? `${name}（${users} 人，${waiting} 人还没有开启）` : `${name}（${users} 人）`
}

function describeRoles(ids: string[], roles?: Roles, error?: Error) {
  if (ids.length === 0) return notSet('没有')
  if (!roles) return notSet(error ? `${ids.length} 个角色（名称没有读到）` : '读取中')
  const roleById = new Map(roles.map((role) => [role.id, role]))
  return ids.map((id) => describeRole(roleById.get(id))).join('、')
}
