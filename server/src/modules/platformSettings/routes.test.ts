import { authApi } from '@iot/shared/contract/access/auth.api'
import { baseConfigApi } from '@iot/shared/contract/platform/baseConfig.api'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import {
  Branding,
  SecurityPolicy,
  type PlatformSettings,
} from '@iot/shared/contract/platform/platformSettings.schema'
import { pickInputFields } from '@iot/shared/contract/endpoint'
import { ownApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await ownApp()
})
afterAll(() => app.close())

const admin = () => app.as('admin')
const readSettings = () => admin().call(platformSettingsApi.read, {})
const pickRevision = ({ id, version }: PlatformSettings) => ({ id, version })
async function saveBranding(change: Partial<Branding>) {
  const settings = await readSettings()
  const branding = pickInputFields(Branding, settings) as Branding
  return admin().call(platformSettingsApi.updateBranding, {
    ...branding,
    ...change,
    ...pickRevision(settings),
  })
}
async function savePolicy(change: Partial<SecurityPolicy>) {
  const settings = await readSettings()
  const policy = pickInputFields(SecurityPolicy, settings) as SecurityPolicy
  return admin().call(platformSettingsApi.updatePolicy, {
    ...policy,
    ...change,
    ...pickRevision(settings),
  })
}

test.each([
  ['a name that is too long', { name: '名'.repeat(33) }, { name: '平台名称最多 32 个字' }],
  ['an empty name', { name: ' ' }, { name: '请输入平台名称' }],
  ['a script in the name', { name: '<script>1' }, { name: '平台名称不能含尖括号' }],
  ['a closing tag in the slogan', { slogon: '</script>' }, { slogon: '标语不能含尖括号' }],
  ['a line break in the name', { name: '一\n二' }, { name: expect.stringContaining('换行') }],
  ['a colour that is none', { themeColor: 'red' }, { themeColor: '主题色形如 #1a66d6' }],
  [
    'a colour with CSS behind it',
    { themeColor: '#1a66d6;}' },
    { themeColor: '主题色形如 #1a66d6' },
  ],
  [
    'a colour that is too light for white text',
    { themeColor: '#ffd700' },
    { themeColor: expect.stringContaining('4.5:1') },
  ],
  ['an address as logo', { logo: 'https://example.com/a.png' }, { logo: '请上传图片' }],
  [
    'a picture that was not uploaded',
    { logo: `/v1/upload/file/${'0'.repeat(32)}` },
    { logo: '图片不存在，请重新上传' },
  ],
  ['a record number that is none', { icp: '备案中' }, { icp: expect.stringContaining('形如') }],
])('refuses %s at its field', async (_, change, fields) => {
  await expect(saveBranding(change)).rejects.toMatchObject({ code: 422, data: { fields } })
})

test.each([
  ['a short minimum', { passwordMinLength: 7 }, 'passwordMinLength'],
  ['a long history', { passwordHistory: 11 }, 'passwordHistory'],
  ['an idle time of one minute', { idleMinutes: 1 }, 'idleMinutes'],
  ['a captcha after the lock', { captchaAfterFailures: 5 }, 'captchaAfterFailures'],
  [
    'an unknown role',
    { secondFactorRoleIds: ['019a0000-0000-7000-8000-000000000000'] },
    'secondFactorRoleIds',
  ],
])('refuses a policy with %s', async (_, change, field) => {
  await expect(savePolicy(change)).rejects.toMatchObject({
    code: 422,
    data: { fields: { [field]: expect.any(String) } },
  })
})

test('refuses users without the permission', async () => {
  const visitor = await app.join('settings-visitor', 'visitor', [1])
  await expect(visitor.call(platformSettingsApi.read, {})).rejects.toMatchObject({ status: 403 })
})

test('answers the current row to a concurrent change of either section', async () => {
  const staleSettings = await readSettings()
  await savePolicy({ passwordMinLength: 9 })
  const branding = pickInputFields(Branding, staleSettings) as Branding
  const staleChange = admin().call(platformSettingsApi.updateBranding, {
    ...branding,
    name: '另一个',
    ...pickRevision(staleSettings),
  })
  await expect(staleChange).rejects.toMatchObject({
    code: 1002,
    data: { current: { passwordMinLength: 9, version: staleSettings.version + 1 } },
  })
})

test('shows a change at once to strangers and tells open pages by the version', async () => {
  const { version } = await saveBranding({
    name: '华南园区',
    slogon: '',
    themeColor: '#00695C',
    icp: '粤ICP备12345678号-1',
  })
  await savePolicy({ captcha: 'always', idleMinutes: 30 })
  expect(await app.stranger.call(baseConfigApi.get, {})).toMatchObject({
    name: '华南园区',
    slogon: '',
    themeColor: '#00695c',
    icp: '粤ICP备12345678号-1',
    captcha: true,
    idleMinutes: 30,
    version: version + 1,
  })
  expect(await admin().call(authApi.me, {})).toMatchObject({ settingsVersion: version + 1 })
  await savePolicy({ captcha: 'afterFailures', idleMinutes: 0 })
})

test('names the roles with the users who have no second factor', async () => {
  await app.join('settings-operator', 'operator', [1])
  const roles = await admin().call(platformSettingsApi.roles, {})
  const operator = roles.find(({ name }) => name === '运维值班')
  expect(operator).toMatchObject({ users: 1, usersWithoutSecondFactor: 1 })
})
