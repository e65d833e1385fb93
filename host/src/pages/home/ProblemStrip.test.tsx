/** @jest-environment jsdom */
import { dayMs } from '@iot/shared/contract/duration'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { MemoryRouter } from 'react-router-dom'
import type { ActionMode, Problem, ProblemKind } from '@iot/shared/contract/device.schema'
import { maintenanceWindowApi } from '@iot/shared/contract/incident.api'
import { edgeHostApi } from '@iot/shared/contract/edgeHost.api'
import { call } from '@iot/shared/client/call'
import { learnServerTime } from '@iot/shared/client/serverClock'
import { createSpaceTree } from '@iot/shared/plan/spaces'
import { store } from '@iot/shared/session/store'
import { userInfoAtom } from '@iot/shared/session/user'
import { FeedbackProvider } from '@iot/shared/ui/feedback'
import { HomeIncidents } from './incidents/HomeIncidents'
import { ProblemStrip } from './ProblemStrip'
import type { Problems } from '../../layout/alerts/useProblems'
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
const offlineDevice: Problem = {
  kind: 'offline',
  id: '1',
  name: '大堂-01',
  spaceId: '',
  floorId: null,
  reason: '离线',
  since: null,
  deviceIds: [],
  incidentId: null,
}
const createProblems = (list: Problem[], offline: number, error?: Error): Problems => ({
  list,
  counts: { ...zeroCounts, offline },
  incidentCounts: {
    ...zeroCounts,
    offline: list.filter(({ incidentId }) => incidentId !== null).length,
  },
  floors: {},
  error,
  faults: new Map(),
  inactive: 0,
  quietReason: '',
  refresh: () => {},
})
const failure = new Error('网络不通，请检查网络后重试')
const stripProps = { projectId: 1, modes: [], tree: createSpaceTree([]), onShow: () => {} }
/** Renders the element and waits for the answers of its calls. */
async function renderLoaded(element: React.ReactElement) {
  const view = render(element)
  await act(async () => {})
  return view
}
const renderStrip = (problems: Problems, isWrapped = false) =>
  renderLoaded(
    <FeedbackProvider>
      <ProblemStrip
        {...stripProps}
        problems={problems}
        busy={false}
        wrapped={isWrapped}
        onAsk={() => {}}
      />
    </FeedbackProvider>,
  )
const renderList = (problems: Problems) => renderStrip(problems, true)
const renderWall = (problems: Problems, tree = stripProps.tree) =>
  renderLoaded(
    <FeedbackProvider>
      <WallDisplay
        {...stripProps}
        tree={tree}
        projectName="科创园"
        counts={new Map()}
        problems={problems}
        onClose={() => {}}
      >
        {null}
      </WallDisplay>
    </FeedbackProvider>,
  )

it('counts the maintenance windows that apply and names one that ends within 15 minutes', async () => {
  const endIn = (minutes: number) => new Date(Date.now() + minutes * 60_000 - 1000).toISOString()
  const windows = [
    { id: '1', name: '换灯', place: '甲楼', heldCount: 2, until: endIn(15) },
    { id: '2', name: '检修', place: '整个项目', heldCount: 1, until: endIn(90) },
  ]
  const mockedCall = jest.mocked(call)
  const answerWith = (answer: unknown) =>
    mockedCall.mockImplementation((endpoint) =>
      Promise.resolve((endpoint === maintenanceWindowApi.current ? answer : []) as never),
    )
  answerWith(windows)
  const { unmount } = await renderStrip(createProblems([], 0))
  const text = '维护中 2 · 未报告 3 · “换灯”15 分钟后结束'
  expect(screen.getByText(text).getAttribute('title')).toContain('检修（整个项目）至')
  unmount()
  answerWith(windows.slice(1))
  await renderStrip(createProblems([], 0))
  expect(screen.getByText('维护中 1 · 未报告 1')).toBeTruthy()
  answerWith([])
})

it('computes an age with the server clock in a browser three days ahead', async () => {
  const behindMs = 3 * dayMs
  learnServerTime(Date.now() - behindMs, Date.now(), Date.now())
  const since = new Date(Date.now() - behindMs - 5 * 60_000).toISOString()
  await renderStrip(createProblems([{ ...offlineDevice, since }], 1))
  expect(screen.getByText(/5 分钟/)).toBeTruthy()
  learnServerTime(Date.now(), Date.now(), Date.now())
})

it('names the building of rooms with equal names on the wall display', async () => {
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
  const litProblem: Problem = {
    ...offlineDevice,
    kind: 'lit',
    id: 'm',
    name: '会议室',
    spaceId: 'm',
  }
  await renderWall(createProblems([litProblem], 0), tree)
  screen.getByText('A 座 会议室')
})

it('sums up the incidents by severity in one button, which opens them in a fixed order', async () => {
  const litRoom: Problem = {
    ...offlineDevice,
    kind: 'lit',
    id: '2',
    name: '会议室',
    reason: '亮着 3 盏，没有人',
  }
  const gateway: Problem = { ...offlineDevice, kind: 'edge', id: '3', name: '网关-01' }
  const problems = createProblems([offlineDevice, litRoom, gateway], 1)
  await renderStrip({ ...problems, counts: { ...zeroCounts, edge: 1, offline: 1, lit: 1 } })
  const summary = screen.getByRole('button', { name: /^现在有问题/ })
  expect(summary.textContent).toMatch(/现在有问题3重要 1一般 1提示 1网关-01/)
  expect(screen.queryByRole('button', { name: /大堂-01/ })).toBeNull()

  fireEvent.click(summary)
  const drawer = await screen.findByRole('dialog', { name: '现在有问题' })
  const headings = within(drawer).getAllByRole('heading')
  expect(headings.map(({ textContent }) => textContent)).toEqual(['重要1', '一般1', '提示1'])
  const names = within(drawer).getAllByRole('listitem')
  expect(names[0]!.textContent).toMatch(/网关-01.*网关离线.*检查网关/)
  expect(names[1]!.textContent).toMatch(/大堂-01.*设备离线/)
  expect(names[1]!.textContent).not.toContain('设备离线：离线')
})

describe.each([
  ['the list', renderList],
  ['the wall', (problems: Problems) => renderWall(problems)],
])('%s', (_, show) => {
  it('does not report "no incidents" after a failed reload', async () => {
    const { container } = await show(createProblems([], 0, failure))
    expect(container.textContent).toMatch(/(没有读到当前问题|数据未更新).*网络不通/)
    expect(container.textContent).not.toContain('现在没有问题')
  })
  it('keeps the incidents after a failed reload and marks them as outdated', async () => {
    const { container } = await show(createProblems([offlineDevice], 1, failure))
    screen.getByText('大堂-01')
    expect(container.textContent).toMatch(/数据未更新.*网络不通/)
  })
  it('includes unlisted incidents in the count', async () => {
    const { container } = await show(createProblems([offlineDevice], 70))
    expect(container.textContent).toMatch(/问题\s*70/)
    expect(container.textContent).toMatch('还有 69 个')
  })
})

it('offers no link to a plan for a device without a position', async () => {
  await renderList(createProblems([{ ...offlineDevice, kind: 'edge', name: '网关-01' }], 1))
  expect(screen.getByRole('button', { name: /网关-01/ })).toHaveProperty('disabled', true)
})

it('links a device without a position to its own page with permission', async () => {
  store.set(userInfoAtom, {
    id: '1',
    username: 'wang',
    name: '王工',
    roles: [],
    permissions: [edgeHostApi.get.permission],
    mustChangePassword: false,
    seesAllProjects: true,
  })
  const list: Problem[] = [
    { ...offlineDevice, kind: 'edge', id: '7', name: '网关-01' },
    { ...offlineDevice, id: '8', name: '大堂-01' },
  ]
  await renderLoaded(
    <Provider store={store}>
      <MemoryRouter>
        <ProblemStrip
          {...stripProps}
          problems={createProblems(list, 1)}
          busy={false}
          wrapped
          onAsk={() => {}}
        />
      </MemoryRouter>
    </Provider>,
  )
  expect(screen.getByRole('link', { name: /网关-01/ }).getAttribute('href')).toBe(
    '/deviceAccess/edgeHost/7',
  )
  expect(screen.getByRole('button', { name: /大堂-01/ })).toHaveProperty('disabled', true)
})

it('asks for unneeded light as strictly as the bulk action', async () => {
  const onAsk = jest.fn()
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
  store.set(userInfoAtom, {
    id: '1',
    username: 'wang',
    name: '王工',
    roles: [],
    permissions: ['*'],
    mustChangePassword: false,
    seesAllProjects: true,
  })
  const litProblem: Problem = { ...offlineDevice, kind: 'lit', deviceIds: ['1', '2'] }
  await renderLoaded(
    <Provider store={store}>
      <FeedbackProvider>
        <ProblemStrip
          {...stripProps}
          modes={[strictMode]}
          problems={createProblems([litProblem], 0)}
          busy={false}
          onAsk={onAsk}
        />
      </FeedbackProvider>
    </Provider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: /一键关/ }))
  expect(onAsk).toHaveBeenCalledWith(expect.objectContaining({ confirm: 'strict' }))
})

describe('a problem for which an alarm rule has opened an incident', () => {
  const reportedDevice = { ...offlineDevice, id: '2', name: '大堂-02', incidentId: 'i1' }
  const incident = {
    id: 'i1',
    title: '大堂-02 离线',
    severity: 'major',
    status: 'open',
    place: '大堂',
    deviceCount: 3,
    openedTime: new Date(Date.now() - 5 * 60_000).toISOString(),
  }
  const signIn = (permissions: string[]) =>
    act(() =>
      store.set(userInfoAtom, {
        id: '1',
        username: 'wang',
        name: '王工',
        roles: [],
        permissions,
        mustChangePassword: false,
        seesAllProjects: true,
      }),
    )
  const renderBoth = () =>
    renderLoaded(
      <Provider store={store}>
        <MemoryRouter>
          <FeedbackProvider>
            <ProblemStrip
              {...stripProps}
              projectId={77}
              problems={createProblems([offlineDevice, reportedDevice], 2)}
              busy={false}
              wrapped
              onAsk={() => {}}
            />
            <HomeIncidents projectId={77} />
          </FeedbackProvider>
        </MemoryRouter>
      </Provider>,
    )
  beforeEach(() =>
    jest
      .mocked(call)
      .mockImplementation((endpoint) =>
        Promise.resolve(
          (endpoint === maintenanceWindowApi.current
            ? []
            : { list: [incident], total: 1 }) as never,
        ),
      ),
  )
  afterEach(() => {
    jest.mocked(call).mockResolvedValue([])
    act(() => store.set(userInfoAtom, null))
  })

  it('is listed once, as the incident with its severity, extent and age', async () => {
    signIn(['system:incident:list'])
    await renderBoth()
    const alarms = await screen.findByRole('region', { name: '告警' })
    const problemNames = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(problemNames.filter((text) => text?.includes('大堂-02'))).toHaveLength(1)
    expect(within(alarms).getByRole('heading').textContent).toBe('重要 1')
    expect(alarms.textContent).toContain('影响 3 台 · 5 分钟')
    expect(screen.getByText('2')).toBeTruthy()
    // The user may list incidents, but not acknowledge them.
    expect(screen.getByRole('button', { name: '确认 大堂-02 离线' })).toHaveProperty(
      'disabled',
      true,
    )
  })
  it('leads the summary, and is listed before the other problems', async () => {
    signIn(['system:incident:list'])
    await renderLoaded(
      <Provider store={store}>
        <MemoryRouter>
          <FeedbackProvider>
            <ProblemStrip
              {...stripProps}
              projectId={77}
              problems={{
                ...createProblems([offlineDevice, reportedDevice], 2),
                incidentCounts: { ...zeroCounts, offline: 1 },
              }}
              busy={false}
              onAsk={() => {}}
            />
          </FeedbackProvider>
        </MemoryRouter>
      </Provider>,
    )
    const summary = await screen.findByRole('button', { name: /^现在有问题/ })
    expect(summary.textContent).toMatch(/现在有问题2告警 1一般 1大堂-02 离线/)
    fireEvent.click(summary)
    const drawer = await screen.findByRole('dialog', { name: '现在有问题' })
    const headings = within(drawer).getAllByRole('heading')
    expect(headings.map(({ textContent }) => textContent)).toEqual(['重要 1', '一般1'])
  })
  it('stays a problem for whoever may not list incidents', async () => {
    signIn(['home'])
    await renderBoth()
    expect(screen.queryByRole('region', { name: '告警' })).toBeNull()
    expect(screen.getByText('大堂-02')).toBeTruthy()
  })
  it('is acknowledged where it is listed, and the list is read again', async () => {
    signIn(['system:incident:list', 'system:incident:acknowledge'])
    await renderBoth()
    const button = await screen.findByRole('button', { name: '确认 大堂-02 离线' })
    jest.mocked(call).mockClear()
    fireEvent.click(button)
    await act(async () => {})
    const endpoints = jest.mocked(call).mock.calls.map(([{ path }, input]) => [path, input])
    expect(endpoints[0]).toEqual(['/v1/incident/acknowledge', { ids: ['i1'] }])
    expect(endpoints).toHaveLength(2)
  })
})
