/** @jest-environment jsdom */
import { dayMs } from '@iot/shared/contract/duration'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import type { AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import type { ActionMode, Problem, ProblemKind } from '@iot/shared/contract/device/device.schema'
import { incidentApi, maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import { call } from '@iot/shared/client/call'
import { learnServerTime } from '@iot/shared/client/serverClock'
import { createSpaceTree } from '@iot/shared/plan/spaces'
import { store } from '@iot/shared/session/store'
import { signIn as signInUser } from '@iot/shared/session/signedIn.fixture'
import { userInfoAtom } from '@iot/shared/session/user'
import { FeedbackProvider } from '@iot/shared/ui/feedback'
import { ProblemStrip } from './ProblemStrip'
import type { Problems } from './useProblems'
import WallDisplay from './WallDisplay'

jest.mock('../../layout/PartBoundary', () => ({
  PartBoundary: ({ children }: { children: React.ReactNode }) => children,
}))
jest.mock('@iot/shared/client/call', () => ({
  call: jest.fn(() => Promise.resolve([])),
  ignoreHandled: () => undefined,
}))

const zeroCounts: Record<ProblemKind, number> = {
  edge: 0,
  fault: 0,
  failed: 0,
  timeout: 0,
  scene: 0,
  backup: 0,
  offline: 0,
  lit: 0,
}
const litRoom: Problem = {
  kind: 'lit',
  id: 'm',
  name: '会议室',
  spaceId: 'm',
  floorId: null,
  reason: '亮着 2 盏，没有人',
  since: null,
  deviceIds: ['1', '2'],
}
const createProblems = (list: Problem[] = []): Problems => ({
  list,
  counts: zeroCounts,
  floors: {},
  error: undefined,
  faults: new Map(),
  inactive: 0,
  quietReason: '',
  refresh: () => {},
})
const createRoom = (id: string, parentId: string | null, name: string) => ({
  id,
  parentId,
  name,
  type: 'room' as const,
  projectId: 1,
  sort: 1,
  plan: null,
  planWidth: null,
  planHeight: null,
})
const tree = createSpaceTree([createRoom('a', null, 'A 座'), createRoom('m', 'a', '会议室')])
const failure = new Error('网络不通，请检查网络后重试')
const createIncident = (id: string, title: string, severity: AlarmSeverity) => ({
  id,
  title,
  severity,
  status: 'open',
  place: '大堂',
  floorId: 'f1',
  deviceId: id,
  deviceCount: 3,
  openedTime: new Date(Date.now() - 5 * 60_000).toISOString(),
})
type Incident = ReturnType<typeof createIncident>
const [gatewayIncident, lampIncident] = [
  createIncident('g', '网关-01 离线', 'major'),
  createIncident('l', '大堂-02 离线', 'minor'),
]

/** Answers the reads of incidents by project id; project 0 is the platform. */
const answerIncidents = (answers: Record<number, { list: Incident[]; total: number } | Error>) =>
  jest.mocked(call).mockImplementation((endpoint, input) => {
    if (endpoint !== incidentApi.page) return Promise.resolve([] as never)
    const { projectId } = input as { projectId: number }
    const answer = answers[projectId] ?? { list: [], total: 0 }
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as never)
  })
const signIn = (permissions: string[], seesAllProjects = false) =>
  act(() => signInUser(permissions, seesAllProjects))
const handlingPermissions = ['system:incident:list', 'system:incident:acknowledge']
// Answers of earlier tests are cached by project.
let projectId = 100
beforeEach(() => {
  projectId += 1
  answerIncidents({})
  signIn(handlingPermissions)
})
afterEach(() => act(() => store.set(userInfoAtom, null)))

const onLocate = jest.fn()
const onAsk = jest.fn()
/** Renders the element and waits for the answers of its calls. */
async function renderLoaded(element: React.ReactElement) {
  const view = render(
    <Provider store={store}>
      <MemoryRouter>
        <FeedbackProvider>{element}</FeedbackProvider>
      </MemoryRouter>
    </Provider>,
  )
  await act(async () => {})
  return view
}
const renderStrip = (props: Partial<React.ComponentProps<typeof ProblemStrip>> = {}) =>
  renderLoaded(
    <ProblemStrip
      {...{ projectId, tree, onLocate, onAsk }}
      modes={[]}
      busy={false}
      problems={createProblems()}
      {...props}
    />,
  )
const renderWall = () =>
  renderLoaded(
    <WallDisplay
      {...{ projectId, tree }}
      projectName="科创园"
      counts={new Map()}
      onShow={() => {}}
      onClose={() => {}}
    >
      {null}
    </WallDisplay>,
  )

it('counts the maintenance windows that apply and names one that ends within 15 minutes', async () => {
  const endIn = (minutes: number) => new Date(Date.now() + minutes * 60_000 - 1000).toISOString()
  const windows = [
    { id: '1', name: '换灯', place: '甲楼', heldCount: 2, until: endIn(15) },
    { id: '2', name: '检修', place: '整个项目', heldCount: 1, until: endIn(90) },
  ]
  const answerWith = (answer: unknown) =>
    jest
      .mocked(call)
      .mockImplementation((endpoint) =>
        Promise.resolve(
          (endpoint === maintenanceWindowApi.current ? answer : { list: [], total: 0 }) as never,
        ),
      )
  answerWith(windows)
  const { unmount } = await renderStrip()
  const text = '维护中 2 · 未报告 3 · “换灯”15 分钟后结束'
  expect(screen.getByText(text).getAttribute('title')).toContain('检修（整个项目）至')
  unmount()
  answerWith(windows.slice(1))
  projectId += 1
  await renderStrip()
  expect(screen.getByText('维护中 1 · 未报告 1')).toBeTruthy()
})

it('computes an age with the server clock in a browser three days ahead', async () => {
  const behindMs = 3 * dayMs
  learnServerTime(Date.now() - behindMs, Date.now(), Date.now())
  const openedTime = new Date(Date.now() - behindMs - 5 * 60_000).toISOString()
  answerIncidents({ [projectId]: { list: [{ ...lampIncident, openedTime }], total: 1 } })
  await renderStrip()
  expect(screen.getByText(/5 分钟/)).toBeTruthy()
  learnServerTime(Date.now(), Date.now(), Date.now())
})

it('sums up the incidents by severity in one button, which opens them in the order of the server', async () => {
  answerIncidents({ [projectId]: { list: [gatewayIncident, lampIncident], total: 2 } })
  await renderStrip({ problems: createProblems([litRoom]) })
  const summary = screen.getByRole('button', { name: /^现在有问题/ })
  expect(summary.textContent).toMatch(/^现在有问题2重要 1一般 1网关-01 离线5 分钟/)
  expect(screen.queryByText('大堂-02 离线')).toBeNull()

  fireEvent.click(summary)
  const drawer = await screen.findByRole('dialog', { name: '现在有问题' })
  const headings = within(drawer).getAllByRole('heading')
  // Light that nobody needs is a state beside the alarms until a rule reports it.
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    '重要 1',
    '一般 1',
    '亮灯无人 1 处',
  ])
  expect(within(drawer).getByText('A 座 会议室')).toBeTruthy()
})

it('counts all incidents when the list is cut, without a number for a severity that is cut', async () => {
  answerIncidents({ [projectId]: { list: [gatewayIncident, lampIncident], total: 70 } })
  await renderStrip()
  const summary = screen.getByRole('button', { name: /^现在有问题/ })
  expect(summary.textContent).toMatch(/^现在有问题70重要 1网关-01/)
})

it.each([
  ['the list', () => renderStrip({ wrapped: true })],
  ['the wall', renderWall],
])('%s says that incidents could not be read, never that there are none', async (_, show) => {
  answerIncidents({ [projectId]: failure })
  const { container } = await show()
  expect(container.textContent).toMatch(/(没有读到当前问题|数据未更新).*网络不通/)
  expect(container.textContent).not.toContain('现在没有问题')
})

it('shows the same incidents on the wall display, without actions', async () => {
  answerIncidents({ [projectId]: { list: [gatewayIncident, lampIncident], total: 2 } })
  const { container } = await renderWall()
  expect(container.textContent).toMatch(/问题\s*2/)
  const names = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(names[0]).toContain('网关-01 离线')
  expect(names[1]).toContain('大堂-02 离线')
  expect(screen.queryByRole('button', { name: /^确认/ })).toBeNull()
})

it('counts the alarms of the platform apart, for those who see all projects', async () => {
  answerIncidents({ 0: { list: [gatewayIncident], total: 1 } })
  const { unmount } = await renderStrip()
  expect(screen.queryByText('平台告警 1')).toBeNull()
  unmount()
  signIn(handlingPermissions, true)
  await renderStrip()
  expect(screen.getByText('平台告警 1').getAttribute('href')).toContain('projectId=0')
  expect(screen.getByText('现在没有问题')).toBeTruthy()
})

it('asks for unneeded light as strictly as the bulk action', async () => {
  const strictMode = {
    productType: 'SAFEWAY_LIGHT',
    typeName: '灯光',
    actionType: 'all_off',
    name: '全关',
    identifier: 'PowerSwitch',
    value: 0,
    confirm: 'strict',
    showOnHome: true,
  } as unknown as ActionMode
  signIn(['*'])
  await renderStrip({ modes: [strictMode], problems: createProblems([litRoom]) })
  fireEvent.click(await screen.findByRole('button', { name: /一键关/ }))
  expect(onAsk).toHaveBeenCalledWith(expect.objectContaining({ confirm: 'strict' }))
})

describe('the card of a part of the project', () => {
  const renderCard = () => renderStrip({ wrapped: true, where: '大堂', scope: { spaceId: 's1' } })
  beforeEach(() => answerIncidents({ [projectId]: { list: [lampIncident], total: 1 } }))

  it('lists its incidents with their extent and age, and leads to the floor plan', async () => {
    await renderCard()
    const alarms = await screen.findByRole('region', { name: '告警' })
    expect(alarms.textContent).toContain('影响 3 台 · 5 分钟')
    expect(jest.mocked(call).mock.calls).toContainEqual([
      incidentApi.page,
      expect.objectContaining({ projectId, spaceId: 's1', status: 'active' }),
      { quiet: true },
    ])
    fireEvent.click(screen.getByRole('button', { name: '大堂-02 离线的更多操作' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '在平面图上查看' }))
    expect(onLocate).toHaveBeenCalledWith(expect.objectContaining({ id: 'l', floorId: 'f1' }))
  })
  it('acknowledges an incident where it is listed, and reads the list again', async () => {
    await renderCard()
    const button = await screen.findByRole('button', { name: '确认 大堂-02 离线' })
    jest.mocked(call).mockClear()
    fireEvent.click(button)
    await act(async () => {})
    const endpoints = jest.mocked(call).mock.calls.map(([{ path }, input]) => [path, input])
    expect(endpoints[0]).toEqual(['/v1/incident/acknowledge', { ids: ['l'] }])
    expect(endpoints).toHaveLength(2)
  })
  it('offers no actions to whoever may only read incidents', async () => {
    signIn(['system:incident:list'])
    await renderCard()
    expect(await screen.findByText('大堂-02 离线')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^确认/ })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '大堂-02 离线的更多操作' }))
    expect(await screen.findAllByRole('menuitem')).toHaveLength(1)
  })
  it('tells whoever may not read incidents whom to ask', async () => {
    signIn(['home'])
    await renderCard()
    expect(screen.getByText('大堂：您没有查看告警的权限，请联系平台管理员')).toBeTruthy()
    expect(screen.queryByText(/现在/)).toBeNull()
  })
})
