import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { atom, Provider, useAtomValue } from 'jotai'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { z } from 'zod'
import { CallError, http } from '../client/call'
import { brandApi } from '../contract/product/brand.api'
import { responseCodes } from '../contract/endpoint'
import { store } from '../session/store'
import { userInfoAtom } from '../session/user'
import { FeedbackProvider } from './feedback'
import { field } from './field'
import { FormDialog, createSaveCall } from './formDialog'

const Lamp = z.object({
  name: z.string().min(1, '请输入名称').meta({ title: '名称' }),
  place: z.string().meta({ title: '位置' }),
  tags: z.array(z.string()).optional().meta({ title: '标签' }),
})
const storedLamp = { id: '7', version: 3, name: '大堂', place: '一楼' }

type TagsProps = { id?: string; value?: string[]; onChange?: (tags: string[]) => void }
const Tags = ({ value = [], onChange, ...rest }: TagsProps) => (
  <input
    {...rest}
    value={value.join(' ')}
    onChange={({ target }) => onChange?.(target.value.split(' '))}
  />
)

type Draft = z.infer<typeof Lamp>
const send = jest.fn<Promise<unknown>, [Draft, object | undefined, { press?: string }]>()
const checkName = jest.fn<Promise<string | undefined>, []>()
const onSaved = jest.fn()
const onClose = jest.fn()

const publicCall = { permission: 'public', title: '编辑灯' } as const
const editCall = { permission: 'deviceAccess:brand:edit', title: '编辑灯' } as const

function openForm(
  initial: Draft | typeof storedLamp = storedLamp,
  to: typeof publicCall | typeof editCall = publicCall,
  wide = false,
  keepsDraft = true,
) {
  const router = createMemoryRouter(
    [
      {
        path: '/',
        element: (
          <FeedbackProvider>
            <FormDialog<Draft>
              title="灯"
              draft={keepsDraft ? 'lamp' : undefined}
              wide={wide}
              schema={Lamp}
              initial={initial}
              to={to}
              send={send}
              onSaved={onSaved}
              onClose={onClose}
            >
              <Form.Item {...field(Lamp, 'name', checkName)}>
                <Input />
              </Form.Item>
              <Form.Item {...field(Lamp, 'place')}>
                <Input />
              </Form.Item>
              <Form.Item {...field(Lamp, 'tags')}>
                <Tags />
              </Form.Item>
            </FormDialog>
          </FeedbackProvider>
        ),
      },
      { path: '/elsewhere', element: <p>别处</p> },
    ],
    { initialEntries: ['/elsewhere', '/'] },
  )
  render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  )
  return router
}
// Queries by text are used, because jsdom needs seconds to compute the roles in a dialog.
async function pressText(text: RegExp) {
  const element = await screen.findByText(text)
  await act(async () => void fireEvent.click(element))
}
const typeInto = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

beforeEach(() => {
  jest.resetAllMocks()
  checkName.mockResolvedValue(undefined)
  localStorage.clear()
})

it('sends nothing while a field is invalid', async () => {
  openForm({ name: '', place: '' })
  await pressText(/保\s?存/)
  await screen.findByText('请输入名称')
  expect(send).not.toHaveBeenCalled()
})

it('sends once despite repeated clicks, and again after a failure', async () => {
  let rejectSend: (error: Error) => void = () => {}
  send.mockImplementationOnce(() => new Promise((_, reject) => (rejectSend = reject)))
  openForm()
  typeInto('位置', '二楼')
  const button = await screen.findByText(/保\s?存/)
  // The request is sent, but the button is not drawn as busy before the second click.
  await act(async () => {
    fireEvent.click(button)
    for (let turn = 0; send.mock.calls.length === 0 && turn < 1000; turn++) await Promise.resolve()
    expect(send).toHaveBeenCalledTimes(1)
    fireEvent.click(button)
  })
  expect(send).toHaveBeenCalledTimes(1)
  await act(async () => rejectSend(new CallError('网络不通，请检查网络后重试')))
  send.mockResolvedValue(null)
  fireEvent.click(button)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(send).toHaveBeenCalledTimes(2)
})

it('reuses the idempotency key when the answer was lost, and a new one after an edit', async () => {
  send.mockRejectedValue(new CallError('网络不通，请检查网络后重试'))
  openForm({ name: '大堂', place: '' })
  for (const place of ['二楼', '二楼', '三楼']) {
    const callsBefore = send.mock.calls.length
    typeInto('位置', place)
    await pressText(/保\s?存/)
    await waitFor(() => expect(send).toHaveBeenCalledTimes(callsBefore + 1))
    await act(async () => {})
  }
  const [firstKey, repeatedKey, otherKey] = send.mock.calls.map(
    ([, , { press: idempotencyKey }]) => idempotencyKey,
  )
  expect(firstKey).toEqual(expect.any(String))
  expect(repeatedKey).toBe(firstKey)
  expect(otherKey).not.toBe(firstKey)
})

it('resends after a timeout although the name exists meanwhile', async () => {
  send.mockRejectedValueOnce(new CallError('请求超时，请稍后再试'))
  openForm({ name: '大堂', place: '' })
  await pressText(/保\s?存/)
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1))
  await act(async () => {})
  checkName.mockResolvedValue('名称已存在')
  send.mockResolvedValueOnce(null)
  await pressText(/保\s?存/)
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
})

it('does not send a duplicate name after a refusal or an edit', async () => {
  send.mockRejectedValue(new CallError('已停用', responseCodes.refused))
  openForm({ name: '大堂', place: '' })
  await pressText(/保\s?存/)
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1))
  await act(async () => {})
  checkName.mockResolvedValue('名称已存在')
  await pressText(/保\s?存/)
  await screen.findByText('名称已存在')
  expect(send).toHaveBeenCalledTimes(1)
})

it('focuses the first editable field', async () => {
  openForm()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('名称')))
})

it('sends a new row without a version and an existing one with the version it read', async () => {
  send.mockResolvedValue(null)
  openForm()
  typeInto('位置', '二楼')
  await pressText(/保\s?存/)
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(send.mock.lastCall?.slice(0, 2)).toEqual([
    { ...storedLamp, place: '二楼' },
    { id: '7', version: 3 },
  ])
  expect(onClose).toHaveBeenCalled()
})

it('shows server errors at their fields and stays open', async () => {
  send.mockRejectedValue(
    new CallError('请检查', responseCodes.fields, { fields: { name: '名称已被使用' } }),
  )
  openForm({ name: '大堂', place: '' })
  await pressText(/保\s?存/)
  await screen.findByText('名称已被使用')
  expect(onClose).not.toHaveBeenCalled()
})

describe('a row that a colleague changed meanwhile', () => {
  const rejectWithConflict = (change: object) =>
    send.mockRejectedValueOnce(
      new CallError('已被修改', responseCodes.version, {
        current: { ...storedLamp, version: 5, updateBy: '王工', ...change },
      }),
    )
  const openConflict = async () => {
    rejectWithConflict({ name: '前厅', place: '三楼' })
    openForm()
    typeInto('位置', '二楼')
    await pressText(/保\s?存/)
    await screen.findByText('这条记录刚被别人修改过')
  }

  it('is saved without a question when different fields changed', async () => {
    rejectWithConflict({ name: '前厅' })
    send.mockResolvedValueOnce(null)
    openForm()
    typeInto('位置', '二楼')
    await pressText(/保\s?存/)
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(send.mock.lastCall?.[0]).toMatchObject({ name: '前厅', place: '二楼' })
    expect(send.mock.lastCall?.[1]).toEqual({ id: '7', version: 5 })
    await screen.findByText('已保留 王工 修改的名称')
  })
  it('asks about fields both changed, with the own value as default', async () => {
    await openConflict()
    expect(
      screen.getAllByRole('radiogroup').map((group) => group.getAttribute('aria-label')),
    ).toEqual(['位置'])
    send.mockResolvedValueOnce(null)
    const mine = screen.getByLabelText('我填写的：二楼')
    await waitFor(() => expect(document.activeElement).toBe(mine))
    // A second Enter on the form must not answer the dialog.
    await userEvent.keyboard('{Enter}')
    expect(send).toHaveBeenCalledTimes(1)
    screen.getByText('这条记录刚被别人修改过')
    await pressText(/^合并保存$/)
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(send.mock.lastCall?.[0]).toMatchObject({ name: '前厅', place: '二楼' })
    expect(send.mock.lastCall?.[1]).toEqual({ id: '7', version: 5 })
  })
  it('takes the value of the colleague when chosen', async () => {
    await openConflict()
    fireEvent.click(screen.getByLabelText('王工的：三楼'))
    send.mockResolvedValueOnce(null)
    await pressText(/^合并保存$/)
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(send.mock.lastCall?.[0]).toMatchObject({ name: '前厅', place: '三楼' })
  })
  it('is reloaded when the own changes are discarded, and saved next with the new version', async () => {
    await openConflict()
    await pressText(/^放弃我的修改$/)
    expect(screen.getByLabelText('名称')).toHaveProperty('value', '前厅')
    // A discarded draft is not offered again.
    expect(localStorage).toHaveLength(0)
    send.mockResolvedValue(null)
    await pressText(/保\s?存/)
    await waitFor(() => expect(send.mock.lastCall?.[1]).toEqual({ id: '7', version: 5 }))
  })
  it('asks nothing about fields that only colleagues changed, after repeated conflicts too', async () => {
    await openConflict()
    fireEvent.click(screen.getAllByLabelText('Close').at(-1)!)
    rejectWithConflict({ name: '门厅', place: '四楼' })
    await pressText(/保\s?存/)
    await screen.findByLabelText('王工的：四楼')
    expect(screen.getAllByRole('radiogroup')).toHaveLength(1)
  })
  it('merges list values of both after repeated conflicts', async () => {
    const lamp = { ...storedLamp, tags: ['甲', '乙'] }
    const conflictWith = (change: object) => rejectWithConflict({ ...lamp, ...change })
    conflictWith({ place: '三楼', tags: ['甲', '丙'] })
    openForm(lamp)
    typeInto('位置', '二楼')
    typeInto('标签', '甲 乙 丁')
    await pressText(/保\s?存/)
    await screen.findByText('这条记录刚被别人修改过')
    expect(screen.getByLabelText('标签')).toHaveProperty('value', '甲 丙 丁')
    conflictWith({ place: '三楼', tags: ['甲', '丙', '戊'] })
    send.mockResolvedValueOnce(null)
    await pressText(/^合并保存$/)
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(send.mock.lastCall?.[0]).toMatchObject({ place: '二楼', tags: ['甲', '丙', '戊', '丁'] })
  })
  it('keeps the typed values when the conflict dialog is closed', async () => {
    await openConflict()
    fireEvent.click(screen.getAllByLabelText('Close').at(-1)!)
    expect(screen.getByLabelText('位置')).toHaveProperty('value', '二楼')
  })
})

it("saves a restored draft against the version it was typed on, so that a colleague's change is merged", async () => {
  openForm()
  typeInto('位置', '二楼')
  cleanup()
  openForm({ ...storedLamp, version: 4, name: '前厅' })
  await screen.findByText(/已恢复/)
  expect(screen.getByLabelText('名称')).toHaveProperty('value', '大堂')
  send.mockRejectedValueOnce(
    new CallError('已被修改', responseCodes.version, {
      current: { ...storedLamp, version: 4, name: '前厅', updateBy: '王工' },
    }),
  )
  send.mockResolvedValueOnce(null)
  await pressText(/^保\s?存$/)
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(send.mock.calls.map(([, revision]) => revision)).toEqual([
    { id: '7', version: 3 },
    { id: '7', version: 4 },
  ])
  expect(send.mock.lastCall?.[0]).toMatchObject({ name: '前厅', place: '二楼' })
})

it('remembers the version of a draft when it is restored and edited again', async () => {
  openForm()
  typeInto('位置', '二楼')
  cleanup()
  openForm({ ...storedLamp, version: 4, name: '前厅' })
  typeInto('位置', '三楼')
  cleanup()
  openForm({ ...storedLamp, version: 4, name: '前厅' })
  send.mockResolvedValueOnce(null)
  await pressText(/^保\s?存$/)
  await waitFor(() => expect(send.mock.lastCall?.[1]).toEqual({ id: '7', version: 3 }))
})

it('saves the current row when a restored draft is discarded', async () => {
  openForm()
  typeInto('位置', '二楼')
  cleanup()
  openForm({ ...storedLamp, version: 4, name: '前厅' })
  await pressText(/^放\s?弃$/)
  send.mockResolvedValueOnce(null)
  await pressText(/^保\s?存$/)
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(send.mock.lastCall?.slice(0, 2)).toEqual([
    { ...storedLamp, version: 4, name: '前厅' },
    { id: '7', version: 4 },
  ])
})

it('closes at once when nothing was typed', async () => {
  openForm()
  await pressText(/Cancel|取\s?消/)
  expect(onClose).toHaveBeenCalled()
})

it('asks before discarding input, also when the page is left', async () => {
  const router = openForm()
  typeInto('位置', '二楼')
  await pressText(/Cancel|取\s?消/)
  await pressText(/继续编辑/)
  expect(onClose).not.toHaveBeenCalled()
  await waitFor(() => expect(screen.queryByText('放弃未保存的修改？')).toBeNull())

  act(() => void router.navigate('/elsewhere'))
  await pressText(/^放\s?弃$/)
  await screen.findByText('别处')
})

it.each([true, false])(
  'lets the browser ask before a reload unless a draft keeps the input (%s)',
  async (keepsDraft) => {
    openForm(storedLamp, publicCall, false, keepsDraft)
    const isReloadAsked = () =>
      !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(isReloadAsked()).toBe(false)
    await userEvent.type(screen.getByLabelText('位置'), '西')
    expect(isReloadAsked()).toBe(!keepsDraft)
    cleanup()
    expect(isReloadAsked()).toBe(false)
  },
)
it('navigates away after a save without a prompt', async () => {
  const router = openForm()
  send.mockResolvedValue(storedLamp)
  onSaved.mockImplementation(() => void router.navigate('/elsewhere'))
  typeInto('位置', '二楼')
  await pressText(/保\s?存/)
  await screen.findByText('别处')
})

describe('a permission revoked while the form is open', () => {
  const user = {
    id: '1',
    username: 'li',
    name: '李工',
    roles: [],
    mustChangePassword: false,
    seesAllProjects: true,
  }
  const grantPermissions = (...permissions: string[]) =>
    store.set(userInfoAtom, { ...user, permissions })
  afterEach(() => act(() => store.set(userInfoAtom, null)))

  it('disables 保存 with the reason, keeps the input, and enables it again with the permission', async () => {
    grantPermissions('deviceAccess:brand:edit')
    openForm(storedLamp, editCall)
    typeInto('位置', '二楼')
    const button = () => screen.getByText(/^保\s?存$/).closest('button')
    expect(button()).toHaveProperty('disabled', false)
    act(() => grantPermissions('deviceAccess:brand:list'))
    expect(button()).toHaveProperty('disabled', true)
    await screen.findByText('缺少权限：编辑灯，不能保存；已填写的内容仍在')
    expect(screen.getByLabelText('位置')).toHaveProperty('value', '二楼')
    act(() => grantPermissions('deviceAccess:brand:edit'))
    expect(button()).toHaveProperty('disabled', false)
  })
  it('leaves nothing to fill in for a user who may only look', () => {
    grantPermissions('deviceAccess:brand:list')
    openForm(storedLamp, editCall)
    expect(screen.getByLabelText('位置')).toHaveProperty('disabled', true)
    act(() => grantPermissions('deviceAccess:brand:edit'))
    expect(screen.getByLabelText('位置')).toHaveProperty('disabled', false)
  })
  it('is reported at the form when the server refuses first, and the form stays open', async () => {
    send.mockRejectedValue(new CallError('没有“编辑灯”的权限', 403, undefined, 403))
    openForm()
    typeInto('位置', '二楼')
    await pressText(/保\s?存/)
    await screen.findByText('没有“编辑灯”的权限，不能保存；已填写的内容仍在')
    expect(screen.getByLabelText('位置')).toHaveProperty('value', '二楼')
    expect(onClose).not.toHaveBeenCalled()
  })
})

it('sends only the fields of the input schema', async () => {
  const requestSpy = jest
    .spyOn(http, 'request')
    .mockResolvedValue({ data: { code: 0, data: null } })
  const row = { name: '大堂', createBy: '王工', manufacturerName: '海康' }
  await createSaveCall(brandApi, z.object({ name: z.string() }))(
    row,
    { id: '7', version: 3 },
    { handles: [] },
  )
  expect(requestSpy.mock.lastCall?.[0]).toMatchObject({ method: 'PUT', data: { name: '大堂' } })
})

it.each([
  ['a modal', false],
  ['a drawer', true],
])('is closed by Back in %s while untouched, and stays on its page', async (_, wide) => {
  const router = openForm(storedLamp, publicCall, wide)
  await screen.findByLabelText('位置')
  act(() => void router.navigate(-1))
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(router.state.location.pathname).toBe('/')
})
it('asks at Back while it has unsaved input, and stays open', async () => {
  const router = openForm(storedLamp, publicCall, true)
  typeInto('位置', '二楼')
  act(() => void router.navigate(-1))
  await waitFor(() => expect(screen.getAllByText('放弃未保存的修改？')).not.toHaveLength(0))
  expect(onClose).not.toHaveBeenCalled()
  expect(router.state.location.pathname).toBe('/')
})

describe('a row that the page reads again while the form is open', () => {
  const nextLamp = { ...storedLamp, version: 4, name: '前厅' }
  function openLiveForm() {
    const lampAtom = atom(storedLamp)
    function LiveForm() {
      const lamp = useAtomValue(lampAtom)
      return (
        <FeedbackProvider>
          <FormDialog<Draft>
            title="灯"
            schema={Lamp}
            initial={lamp}
            to={publicCall}
            send={send}
            onSaved={onSaved}
            onClose={onClose}
          >
            <Form.Item {...field(Lamp, 'name')}>
              <Input />
            </Form.Item>
          </FormDialog>
        </FeedbackProvider>
      )
    }
    const router = createMemoryRouter([{ path: '/', element: <LiveForm /> }])
    render(
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>,
    )
    return (lamp: typeof storedLamp) => act(() => store.set(lampAtom, lamp))
  }

  it('does not become the base of input that began before', async () => {
    const readAgain = openLiveForm()
    typeInto('名称', '门厅')
    readAgain(nextLamp)
    await pressText(/保\s?存/)
    await waitFor(() => expect(send).toHaveBeenCalled())
    expect(send.mock.calls[0]!.slice(0, 2)).toMatchObject([
      { name: '门厅' },
      { id: '7', version: 3 },
    ])
  })
  it('is shown while nothing was typed, and is the base of later input', async () => {
    const readAgain = openLiveForm()
    readAgain(nextLamp)
    await screen.findByDisplayValue('前厅')
    typeInto('名称', '门厅')
    await pressText(/保\s?存/)
    await waitFor(() => expect(send).toHaveBeenCalled())
    expect(send.mock.calls[0]!.slice(0, 2)).toMatchObject([
      { name: '门厅' },
      { id: '7', version: 4 },
    ])
  })
})
