import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import Button from 'antd/es/button'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { ManufacturerDraft } from '../contract/product/manufacturer.schema'
import { MenuDraft } from '../contract/access/menu.schema'
import { UserDraft } from '../contract/access/user.schema'
import { column, field, formatValue } from './field'

const validate = (props: ReturnType<typeof field>, value: unknown) => {
  const [rule] = props.rules as { validator: (rule: object, value: unknown) => Promise<void> }[]
  return rule!.validator({}, value).then(
    () => 'fine',
    (error: Error) => error.message,
  )
}

describe('field', () => {
  it('takes name, label and required mark from the contract', () => {
    expect(field(ManufacturerDraft, 'name')).toMatchObject({
      name: 'name',
      label: '厂商名称',
      required: true,
    })
    expect(field(ManufacturerDraft, 'remark')).toMatchObject({ label: '备注', required: false })
  })

  it.each([
    [UserDraft, 'roleIds', true],
    [UserDraft, 'projectIds', true],
    [UserDraft, 'phone', false],
    [UserDraft, 'expireTime', false],
    [MenuDraft, 'parentId', false],
    [MenuDraft, 'visible', false],
    [MenuDraft, 'sort', true],
    [ManufacturerDraft, 'areaCode', true],
  ])('%# marks a required field', (schema, name, required) =>
    expect(field(schema as typeof UserDraft, name as 'phone').required).toBe(required),
  )

  it.each([
    ['name', '', '请输入厂商名称'],
    ['name', '   ', '请输入厂商名称'],
    ['name', '字'.repeat(65), '厂商名称最多 64 个字'],
    ['code', 'a b', '厂商编码只能用字母、数字、下划线和短横线，1–64 位'],
    ['creditCode', '', 'fine'],
    ['creditCode', '91350100M000100Y43', 'fine'],
    ['creditCode', '91350100M000100Y44', '统一社会信用代码不正确，请核对 18 位代码'],
    ['email', 'a@', '邮箱格式不正确'],
    ['phone', '1234', '请输入手机号、带区号的座机（可加分机）或 400、95 号码'],
    ['areaCode', '', '请选择省、市、区'],
    ['website', 'ftp://x.cn', '网址须以 http:// 或 https:// 开头'],
  ] as const)('%s “%s”: %s', async (name, value, expectedMessage) =>
    expect(await validate(field(ManufacturerDraft, name), value)).toBe(expectedMessage),
  )

  it('reports in Chinese when the contract has no message', async () => {
    expect(await validate(field(ManufacturerDraft, 'logo'), undefined)).toBe('请填写标志')
    expect(await validate(field(ManufacturerDraft, 'logo'), 'x'.repeat(201))).toBe(
      '标志最多 200 个字',
    )
    expect(await validate(field(MenuDraft, 'type'), 'other')).toBe('类型不正确')
  })

  it('runs the server check only on valid input, and accepts it when the check fails to run', async () => {
    const check = jest.fn(async (name: string) => (name === '海康' ? '名称已被使用' : undefined))
    const checkedField = field(ManufacturerDraft, 'name', check)
    expect(await validate(checkedField, '')).toBe('请输入厂商名称')
    expect(check).not.toHaveBeenCalled()
    expect(await validate(checkedField, ' 海康 ')).toBe('名称已被使用')
    expect(
      await validate(
        field(ManufacturerDraft, 'name', () => Promise.reject(new Error('offline'))),
        '海康',
      ),
    ).toBe('fine')
  })

  it('shows no error while typing', async () => {
    const user = userEvent.setup({ delay: 20 })
    render(
      <Form>
        <Form.Item {...field(ManufacturerDraft, 'phone')}>
          <Input />
        </Form.Item>
        <Button htmlType="submit">保存</Button>
      </Form>,
    )
    await user.type(screen.getByLabelText('联系电话'), '138')
    expect(screen.queryByText('请输入手机号、带区号的座机（可加分机）或 400、95 号码')).toBeNull()
    await screen.findByText('请输入手机号、带区号的座机（可加分机）或 400、95 号码')
    await user.type(screen.getByLabelText('联系电话'), '00138000')
    await waitFor(() =>
      expect(
        screen.queryByText('请输入手机号、带区号的座机（可加分机）或 400、95 号码'),
      ).toBeNull(),
    )
  })
})

it('builds schemas without a probe for eval, which the policy of a page forbids', async () => {
  const evalProbe = jest.spyOn(globalThis, 'Function')
  await jest.isolateModulesAsync(async () => {
    await import('../contract/product/brand.schema')
  })
  expect(evalProbe).not.toHaveBeenCalled()
})

it('explains a value that a schema has no message for in Chinese', () =>
  expect(UserDraft.shape.projectIds.safeParse([1.5]).error?.issues[0]?.message).toMatch(
    /\p{Script=Han}/u,
  ))

describe('column', () => {
  it('takes its title from the contract', () =>
    expect(column(ManufacturerDraft, 'code')).toMatchObject({
      key: 'code',
      dataIndex: 'code',
      title: '厂商编码',
    }))
  it('takes its title from the titles of a list', () =>
    expect(column({ type: '类型', code: '厂商编码' }, 'type')).toMatchObject({
      key: 'type',
      dataIndex: 'type',
      title: '类型',
    }))
  it('shows a dash for empty values and times in local time', () => {
    expect([formatValue(''), formatValue(null), formatValue(0)]).toEqual(['—', '—', '0'])
    expect(formatValue('2026-11-21T03:24:28.000Z')).toMatch(/^2026-11-2\d \d\d:\d\d:28$/)
  })
})
