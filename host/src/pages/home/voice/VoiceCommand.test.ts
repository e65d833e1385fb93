/** @jest-environment jsdom */
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { createElement } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import type { DeviceSearchResult, SpaceLights } from '@iot/shared/contract/device/device.schema'
import { createSpaceTree } from '@iot/shared/plan/spaces'
import { store } from '@iot/shared/session/store'
import { signIn } from '@iot/shared/session/signedIn.fixture'
import { createSpace } from '../space.fixture'
import VoiceCommand from './VoiceCommand'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))

it('reports that the scenes failed to load instead of not understanding one', async () => {
  jest.mocked(call).mockRejectedValue(new Error('网络不通，请检查网络后重试'))
  const onAsk = jest.fn()
  render(
    createElement(VoiceCommand, {
      projectId: 1,
      tree: createSpaceTree([]),
      counts: new Map(),
      modes: [],
      onAsk,
    }),
  )
  const field = screen.getByRole('searchbox', { name: '口令' })
  fireEvent.change(field, { target: { value: '执行下班场景' } })
  fireEvent.click(screen.getByRole('button', { name: /执/ }))
  const alertElement = await screen.findByRole('alert')
  expect(alertElement.textContent).toBe('没有读到场景：网络不通，请检查网络后重试')
  expect(onAsk).not.toHaveBeenCalled()
})

const tree = createSpaceTree([
  createSpace('a', null, 'area', '大堂'),
  createSpace('b', null, 'area', '走廊'),
])
/** Renders the dialog for a user with all permissions in a project without scenes. */
function renderVoiceCommand(
  counts: ReadonlyMap<string, SpaceLights> = new Map(),
  list: Partial<DeviceSearchResult>[] = [],
) {
  jest
    .mocked(call)
    .mockImplementation((to) =>
      Promise.resolve({ list: to === deviceApi.named ? list : [], total: 0 }),
    )
  signIn(['*'])
  const onAsk = jest.fn()
  const voice = createElement(VoiceCommand, {
    projectId: 1,
    tree,
    counts,
    modes: [],
    onAsk,
  })
  return { onAsk, ...render(createElement(Provider, { store }, voice)) }
}

it('resolves several places and asks for confirmation', async () => {
  const { onAsk } = renderVoiceCommand()
  const field = screen.getByRole('searchbox', { name: '口令' })
  fireEvent.change(field, { target: { value: '大堂和走廊调到四千K' } })
  fireEvent.click(screen.getByRole('button', { name: /执/ }))
  await waitFor(() => expect(onAsk).toHaveBeenCalled())
  expect(onAsk.mock.calls[0]).toMatchObject([
    {
      title: '大堂、走廊色温调到 4000K',
      request: {
        scope: { kind: 'spaces', spaceIds: ['a', 'b'] },
        values: { ColorTemperature: 4000 },
      },
      confirm: 'ask',
    },
  ])
})

const lamp = {
  id: 'd1',
  name: '1F-走廊-02',
  deviceName: 'l2',
  productType: 'SAFEWAY_LIGHT',
  protected: false,
  state: 'online' as const,
  reported: { PowerSwitch: 0 },
  stale: {},
}

it.each([
  ['大堂的灯关了吗', '大堂还有灯亮着：亮 1 盏，关 2 盏，共 3 盏'],
  ['大堂的灯关了？', '大堂还有灯亮着：亮 1 盏，关 2 盏，共 3 盏'],
  ['1F-走廊-02关了吗', '1F-走廊-02关着'],
])('answers %s and asks for no confirmation', async (sentence, answer) => {
  const lights = { on: 1, off: 2, offline: 0, inactive: 0, unknown: 0, protected: 0, reachable: 3 }
  const { onAsk } = renderVoiceCommand(new Map([['a', { spaceId: 'a', ...lights }]]), [lamp])
  fireEvent.change(screen.getByRole('searchbox', { name: '口令' }), { target: { value: sentence } })
  fireEvent.click(screen.getByRole('button', { name: /执/ }))
  expect((await screen.findByRole('alert')).textContent).toBe(answer)
  expect(onAsk).not.toHaveBeenCalled()
})

describe('a question about a device group', () => {
  const sum = { on: 1, off: 2, offline: 0, inactive: 0, unknown: 1, protected: 0, reachable: 4 }
  const lights = { ...sum, spaces: [{ spaceId: 'a', ...sum }] }
  function ask(sentence: string, answer: () => Promise<unknown>, groups = [corridorGroup]) {
    jest
      .mocked(call)
      .mockImplementation((to) =>
        to === deviceGroupApi.lights ? answer() : Promise.resolve({ list: [], total: 0 }),
      )
    render(
      createElement(VoiceCommand, {
        projectId: 1,
        tree,
        counts: new Map(),
        groups,
        modes: [],
        onAsk: jest.fn(),
      }),
    )
    const field = screen.getByRole('searchbox', { name: '口令' })
    fireEvent.change(field, { target: { value: sentence } })
    fireEvent.click(screen.getByRole('button', { name: /执/ }))
    return screen.findByRole('alert').then(({ textContent }) => textContent)
  }
  const corridorGroup = { id: 'g1', name: '走廊组' }
  const counts = '亮 1 盏，关 2 盏，未知 1 盏，共 4 盏'

  it.each([
    ['走廊组的灯关了吗', `走廊组还有灯亮着：${counts}`],
    ['走廊组亮着几盏', `走廊组：${counts}`],
    ['走廊组的灯还亮着吗？', `走廊组还有灯亮着：${counts}`],
    ['走廊组哪里还亮着灯', '走廊组，亮着灯：大堂 1 盏，另有 1 盏未知或离线'],
    ['走廊组哪些灯没关', '走廊组，亮着灯：大堂 1 盏，另有 1 盏未知或离线'],
    ['走廊组哪几层还亮着灯', '走廊组，1 盏亮着的灯不在楼层里，另有 1 盏未知或离线'],
  ])('is answered by what its lamps have reported: %s', async (sentence, answer) => {
    expect(await ask(sentence, () => Promise.resolve(lights))).toBe(answer)
    expect(jest.mocked(call)).toHaveBeenCalledWith(
      deviceGroupApi.lights,
      { id: 'g1' },
      { quiet: true },
    )
  })
  it('finds a group by its name and 组 beside a place of the same name', async () => {
    expect(
      await ask('走廊组的灯关了吗', () => Promise.resolve(lights), [{ id: 'g2', name: '走廊' }]),
    ).toBe(`走廊还有灯亮着：${counts}`)
  })
  it('says that a group has no lamps, and why they could not be read', async () => {
    const none = {
      on: 0,
      off: 0,
      offline: 0,
      inactive: 0,
      unknown: 0,
      protected: 0,
      reachable: 0,
      spaces: [],
    }
    for (const sentence of ['走廊组的灯关了吗', '走廊组哪里还亮着灯']) {
      expect(await ask(sentence, () => Promise.resolve(none))).toBe('走廊组没有灯')
      cleanup()
    }
    expect(await ask('走廊组的灯关了吗', () => Promise.reject(new Error('网络不通')))).toBe(
      '没有读到设备组的灯：网络不通',
    )
  })
})

it('asks about a delayed command for a single lamp, and refuses it for a protected one', async () => {
  const say = (isProtected: boolean) => {
    const voice = renderVoiceCommand(new Map(), [{ ...lamp, protected: isProtected }])
    const field = screen.getByRole('searchbox', { name: '口令' })
    fireEvent.change(field, { target: { value: '十分钟后打开1F-走廊-02' } })
    fireEvent.click(screen.getByRole('button', { name: /执/ }))
    return voice
  }
  const { onAsk, unmount } = say(false)
  await waitFor(() => expect(onAsk).toHaveBeenCalled())
  expect(onAsk.mock.calls[0]).toMatchObject([
    {
      title: '10 分钟后：开 1F-走廊-02',
      okText: '10 分钟后执行',
      request: { scope: { kind: 'devices', deviceIds: ['d1'] }, values: { PowerSwitch: 1 } },
      confirm: 'ask',
      delayMinutes: 10,
    },
  ])
  unmount()
  const voice = say(true)
  expect((await screen.findByRole('alert')).textContent).toBe('受保护的灯要当场控制，不能延时')
  expect(voice.onAsk).not.toHaveBeenCalled()
})

it('refuses a pasted text that is too long for a command in words, at once, and keeps it', async () => {
  const { onAsk } = renderVoiceCommand()
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: '口令' })
  const sentence = '请把没有的地方'.repeat(200)
  fireEvent.change(field, { target: { value: sentence } })
  fireEvent.click(screen.getByRole('button', { name: /执/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('口令最多 200 个字')
  expect(field.value).toBe(sentence)
  expect(onAsk).not.toHaveBeenCalled()
})

it('runs a command entered twice once, and keeps text typed meanwhile', async () => {
  const { onAsk } = renderVoiceCommand()
  let answer = (_: object) => {}
  jest.mocked(call).mockReturnValue(new Promise((resolve) => (answer = resolve)))
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: '口令' })
  const enter = () => {
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
    fireEvent.keyUp(field, { key: 'Enter', keyCode: 13 })
  }
  fireEvent.change(field, { target: { value: '大堂调到四千K' } })
  enter()
  enter()
  fireEvent.change(field, { target: { value: '走廊' } })
  await act(() => Promise.resolve(answer({ list: [], total: 0 })))
  expect(onAsk).toHaveBeenCalledTimes(1)
  expect(field.value).toBe('走廊')
  fireEvent.change(field, { target: { value: '走廊调到四千K' } })
  enter()
  await waitFor(() => expect(field.value).toBe(''))
  expect(onAsk).toHaveBeenCalledTimes(2)
})

describe('the microphone', () => {
  class FakeRecognition {
    static all: FakeRecognition[] = []
    lang = ''
    onresult!: (event: object) => void
    onerror!: (event: object) => void
    onend!: () => void
    start = jest.fn()
    abort = jest.fn()
    constructor() {
      FakeRecognition.all.push(this)
    }
  }
  const speechWindow = window as unknown as { webkitSpeechRecognition?: typeof FakeRecognition }
  beforeEach(() => {
    speechWindow.webkitSpeechRecognition = FakeRecognition
    FakeRecognition.all = []
  })
  afterEach(() => delete speechWindow.webkitSpeechRecognition)
  function pressMicrophone() {
    fireEvent.click(screen.getByRole('button', { name: /按下说话/ }))
    const recognition = FakeRecognition.all.at(-1)!
    expect(recognition.start).toHaveBeenCalled()
    return recognition
  }
  const listAlerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

  it('recognises Chinese and runs the sentence like typed text', async () => {
    const { onAsk } = renderVoiceCommand()
    const recognition = pressMicrophone()
    expect(recognition.lang).toBe('zh-CN')
    screen.getByRole('button', { name: /请说/ })
    act(() => recognition.onresult({ results: [[{ transcript: '大堂色温调到四千' }]] }))
    act(() => recognition.onend())
    await waitFor(() => expect(onAsk).toHaveBeenCalledTimes(1))
    expect(onAsk.mock.calls[0]).toMatchObject([
      {
        title: '大堂色温调到 4000K',
        request: { scope: { kind: 'space', spaceId: 'a' }, values: { ColorTemperature: 4000 } },
      },
    ])
    expect(listAlerts()).toEqual([])
    screen.getByRole('button', { name: /按下说话/ })
  })
  it.each([
    ['not-allowed', '没有麦克风权限，请输入'],
    ['no-speech', '没有听到声音，请再说一次'],
    ['network', '语音识别服务连不上，请输入'],
    ['something-new', '没有听清，请再说一次或输入'],
  ])('reports why nothing was heard: %s', (error, expectedReason) => {
    const { onAsk } = renderVoiceCommand()
    const recognition = pressMicrophone()
    act(() => recognition.onerror({ error }))
    act(() => recognition.onend())
    expect(listAlerts()).toEqual([expectedReason])
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: '口令' }))
    expect(onAsk).not.toHaveBeenCalled()
  })
  it('reports when it ends without speech', () => {
    renderVoiceCommand()
    const recognition = pressMicrophone()
    act(() => recognition.onend())
    expect(listAlerts()).toEqual(['没有听清，请再说一次或输入'])
  })
  it('stops listening when its dialog is closed', () => {
    const { unmount } = renderVoiceCommand()
    const recognition = pressMicrophone()
    unmount()
    expect(recognition.abort).toHaveBeenCalled()
  })
  it('is hidden without speech recognition in the browser', () => {
    delete speechWindow.webkitSpeechRecognition
    renderVoiceCommand()
    expect(screen.queryByRole('button', { name: /按下说话/ })).toBeNull()
    screen.getByText('这个浏览器不能识别语音，请输入口令。')
  })
})
